import { remember } from "../basics/remember.ts";
import { compileGlobs, type GlobOptions } from "../expressions/globs.ts";
import type { ToolUse } from "../tool-kinds/tool-use.ts";

/** A star stands for anything, including slashes and leading dots: a command is not a path. */
export const COMMAND_GLOB: GlobOptions = { bash: true, dot: true };

/** Only the beginning of a longer command is matched. */
const LONGEST_COMMAND = 1_000;

/**
 * Returns whether a call of any agent's shell runs a command that matches one of the globs. Each command of a line
 * is checked, with its words as the shell passes them, and the line as a whole.
 *
 *   npm test*   ->  `npm test`, `cd app && CI=1 npm test -- --watch=false 2>&1 | tail -5`
 *               not `echo "npm test"`, `npm run test`
 */
export function matchCommands(globs: readonly string[]): (use: ToolUse) => boolean {
  if (globs.length === 0) return () => false;
  const matches = compileGlobs(globs, COMMAND_GLOB);
  const isMatch = (command: string) => matches(command.trim().slice(0, LONGEST_COMMAND));
  return remember(
    ({ kind, command, commands }: ToolUse) =>
      kind === "shell" &&
      ((command !== undefined && isMatch(command)) ||
        (commands ?? []).some(({ words }) => isMatch(words.join(" ")))),
  );
}
