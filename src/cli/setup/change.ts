import type { Issue, Result } from "../../basics/issue.ts";

/** A change of `coppice init` to one file. */
export interface FileChange {
  readonly file: string;
  /** Describes the addition, for people. */
  readonly what: readonly string[];
  /** The text with the addition; the same text if it has it already. */
  add(text: string | undefined): Result<string>;
  /** Removes the addition from a text that others may have changed since; the same text if it is not there. */
  remove(text: string): Result<string>;
}

export function refuse(why: string): { readonly ok: false; readonly issue: Issue } {
  return {
    ok: false,
    issue: { code: "config-unreadable", severity: "error", message: `nothing was changed: ${why}` },
  };
}
