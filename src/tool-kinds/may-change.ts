import type { CommandWords, ToolKind, ToolUse } from "./tool-use.ts";

/** Unknown kinds, and kinds in which someone else works on the same files. */
const UNKNOWN: ReadonlySet<ToolKind> = new Set(["other", "task"]);

/**
 * May the call have changed the answers of commands? A test runner or a script is not known to.
 *
 *   edit a.ts, `git commit -m x`, `npm install`, an unknown tool            ->  yes
 *   read a.ts, `git status`, `npm test`                                     ->  no
 */
export function mayChange({ kind, files, commands = [] }: ToolUse): boolean {
  if (UNKNOWN.has(kind) || files.some(({ operation }) => operation !== "read")) return true;
  if (kind === "edit" || kind === "write" || kind === "delete") return true;
  return kind === "shell" && commands.some((command) => command.writes || installs(command));
}

/** A command that waits observes changes from outside: repeating it is its purpose. */
export function waits({ commands = [] }: ToolUse): boolean {
  return commands.some(({ words: [program = ""] }) => program === "sleep" || program === "wait");
}

const INSTALLERS =
  /^(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|gem|bundle|composer|apt(?:-get)?|brew|apk)$/;
const INSTALLING = /^(?:i|ci|install|add|remove|uninstall|update|upgrade|get|sync|lock|fix|fmt|tidy)$/;

function installs({ words: [program = "", ...rest] }: CommandWords): boolean {
  return INSTALLERS.test(program) && rest.some((word) => INSTALLING.test(word));
}
