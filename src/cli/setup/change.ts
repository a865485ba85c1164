import type { Issue, Result } from "../../basics/issue.ts";

/** A change of `coppice init` to one file. */
export interface FileChange {
  readonly file: string;
  /** Describes the addition, for people. */
  readonly what: readonly string[];
  /** The whole file is Coppice's own: it is replaced and deleted, and no copy of it is kept. */
  readonly isOwn?: true;
  /** The text with it; the same text if it is there already. */
  add(text: string | undefined): Result<string>;
  /**
   * Takes it out of a text that others have changed since; the same text if it is not there. What `before` has was there
   * without us, and stays. `undefined`: the file is to be deleted.
   */
  remove(text: string, before?: string): Result<string | undefined>;
}

export function refuse(why: string): { readonly ok: false; readonly issue: Issue } {
  return {
    ok: false,
    issue: { code: "config-unreadable", severity: "error", message: `nothing was changed: ${why}` },
  };
}
