/** A call of Claude Code's, and what came back. */
export type Call = readonly [tool: string, input: object, output: string];

/** A session of Claude Code that makes these calls one after the other, and ends with an answer. */
export function workingSession(session: string, calls: readonly Call[]): string {
  const lines: object[] = [];
  const add = (role: "user" | "assistant", content: unknown) => {
    const i = lines.length;
    lines.push({
      type: role,
      uuid: `u${i}`,
      parentUuid: i === 0 ? null : `u${i - 1}`,
      sessionId: session,
      cwd: "/work/shop",
      timestamp: new Date(Date.UTC(2026, 10, 16, 12, 0, i)).toISOString(),
      message: { role, content, ...(role === "assistant" && { id: `m${i}`, model: "claude-sonnet-4-5" }) },
    });
  };
  add("user", "Fix the login");
  for (const [i, [name, input, output]] of calls.entries()) {
    add("assistant", [{ type: "tool_use", id: `t${i}`, name, input }]);
    add("user", [{ type: "tool_result", tool_use_id: `t${i}`, content: output }]);
  }
  add("assistant", [{ type: "text", text: "Done." }]);
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const edit = (output: string): Call => [
  "Edit",
  { file_path: "/work/shop/a.ts", old_string: "a", new_string: "b" },
  output,
];
const FOUND = "The file /work/shop/a.ts has been updated.";
const NOT_FOUND = "<tool_use_error>String to replace not found in file.\nString: a</tool_use_error>";
const read: Call = ["Read", { file_path: "/work/shop/a.ts" }, "     1→const a = 1;\n     2→const b = 2;"];
const run: Call = ["Bash", { command: "npm test" }, "1 failed"];

/**
 * One of two edits does not find its text, one of two reads is a repeat, and one of three commands was run before.
 */
export const CALLS: readonly Call[] = [
  read,
  read,
  run,
  run,
  edit(NOT_FOUND),
  edit(FOUND),
  run,
  ["mcp__coppice__context_recall", { ref: "a1b2c3" }, "const a = 1;"],
];
