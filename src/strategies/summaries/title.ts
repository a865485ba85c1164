import { silent } from "../../tool-kinds/built-in/queries.ts";
import type { ToolUse } from "../../tool-kinds/tool-use.ts";

/** What a summary calls the call: the tool's name, of a shell line that only looks something up the program's. */
export function titleOf({ kind, name, shows, commands = [] }: ToolUse): string {
  if (kind !== "shell" || shows === undefined) return name;
  const [program = name] = commands.find(({ words }) => !silent.has(words[0] ?? ""))?.words ?? [];
  return program.slice(program.lastIndexOf("/") + 1);
}
