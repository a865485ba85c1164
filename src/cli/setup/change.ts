import type { Issue, Result } from "../../basics/issue.ts";

/** A change of `coppice init` to one file. */
export interface FileChange {
  readonly file: string;
  /** Describes the addition, for people. */
  readonly what: readonly string[];
  /** The whole file is Coppice's own: it is replaced and deleted, and no copy of it is kept. */
  readonly isOwn?: true;
  /** Returns the text with the change, or the same text if it already has it. */
  add(text: string | undefined): Result<string>;
  /**
   * Removes the change from a text that others may have changed since. Returns the same text if it does not have the
   * change. Everything in `before` was there before `init`, and stays. `undefined` means: delete the file.
   */
  remove(text: string, before?: string): Result<string | undefined>;
}

export function refuse(why: string): { readonly ok: false; readonly issue: Issue } {
  return {
    ok: false,
    issue: { code: "config-unreadable", severity: "error", message: `nothing was changed: ${why}` },
  };
}
