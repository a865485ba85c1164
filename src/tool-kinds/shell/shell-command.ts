import type { Joint } from "../tool-use.ts";

/** A word of a shell line. `pattern`: the shell expands it. `dynamic`: its value is not in the line. */
export interface ShellWord {
  /** Quotes and escapes resolved. */
  readonly text: string;
  readonly form: "literal" | "pattern" | "dynamic";
}

/** One simple command of a parsed line. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  readonly joint?: Joint;
  /** It is in a subshell, group, loop, condition or substitution. */
  readonly nested: boolean;
  /** Files that its output goes to; excludes /dev/null and descriptors such as `&2`. */
  readonly outputs: readonly { readonly target: ShellWord; readonly appends: boolean }[];
  readonly takesInput: boolean;
  readonly heredoc?: string;
  /** Sets variables and runs nothing, or is in a compound whose output goes to a file. */
  readonly changesState: boolean;
}

/** The program, without its folder: `/usr/bin/cat` is `cat`. */
export function programOf(command: ShellCommand): string {
  const [name] = command.words;
  return name?.form === "literal" ? name.text.slice(name.text.lastIndexOf("/") + 1) : "";
}
