import { silent } from "../../tool-kinds/built-in/queries.ts";
import type { ToolUse } from "../../tool-kinds/tool-use.ts";

/**
 * The name of the call in a summary: its tool, or, for a shell command that only looks something up, the program.
 */
export function titleOf({ kind, name, shows, commands = [] }: ToolUse): string {
  if (kind !== "shell" || shows === undefined) return name;
  const [program = name] = commands.find(({ words }) => !silent.has(words[0] ?? ""))?.words ?? [];
  return program.slice(program.lastIndexOf("/") + 1);
}
