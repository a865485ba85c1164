import { describe, expect, it, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";
import { textOf } from "../conversation.ts";

const describeScript = (code: string) => createToolKinds().describe("exec", code);
const touches = (code: string): readonly string[] =>
  describeScript(code).files.map(({ operation, path }) => `${operation} ${path}`);
const patch = "*** Begin Patch\\n*** Update File: a.ts\\n@@\\n-x\\n+y\\n*** End Patch";

describe("Codex's exec", () => {
  it.each<[string, string, readonly string[]]>([
    ["a command whose output is shown", `text(await tools.exec_command({cmd: "cat a.ts"}));`, ["read a.ts"]],
    ["its output alone", `text((await tools.exec_command({ cmd: 'cat a.ts' })).output)`, ["read a.ts"]],
    [
      "through a name",
      `const r = await tools.exec_command({"cmd": "cat a.ts", yield_time_ms: 30_000, tty: false});\ntext(r.output);`,
      ["read a.ts"],
    ],
    [
      "as JSON",
      "let r = await tools.exec_command({cmd: `cat a.ts`})\ntext(JSON.stringify(r))",
      ["read a.ts"],
    ],
    [
      "all that came where there is no output",
      `const r = await tools.exec_command({cmd:"cat a.ts"}); text(r.output ?? JSON.stringify(r));`,
      ["read a.ts"],
    ],
    [
      "the same with another sign, and indented",
      `const r = await tools.exec_command({cmd:"cat a.ts"}); text(r.output || JSON.stringify(r, null, 2))`,
      ["read a.ts"],
    ],
    ["a text instead", `text((await tools.exec_command({cmd: "cat a.ts"})).output ?? "")`, ["read a.ts"]],
    [
      "an error instead",
      `const r = await tools.exec_command({cmd: "cat a.ts"}); text(r.output || r.stderr);`,
      ["read a.ts"],
    ],
    [
      "in another folder",
      `text(await tools.exec_command({cmd: "cat a.ts", workdir: "/w/lib"}))`,
      ["read /w/lib/a.ts"],
    ],
    [
      "several commands, and a comment",
      `// look\ntext(await tools.exec_command({cmd: "cat a.ts"}));\ntext(await tools.exec_command({cmd: "rm b.ts"}));`,
      ["read a.ts", "delete b.ts"],
    ],
    ["quotes in it", `text(await tools.exec_command({cmd: "cat \\"a b.ts\\""}))`, ["read a b.ts"]],
    ["a patch", `await tools.apply_patch("${patch}");`, ["edit a.ts"]],
    ["a patch as a field", `text(await tools.apply_patch({input: \`${patch}\`}))`, ["edit a.ts"]],
  ])("reads %s", (_, code, expected) => expect(touches(code)).toEqual(expected));

  it.each<[string, string]>([
    ["an output that is not shown", `await tools.exec_command({cmd: "cat a.ts"})`],
    ["an output that is kept", `const r = await tools.exec_command({cmd: "cat a.ts"});`],
    [
      "a part of an output",
      `const r = await tools.exec_command({cmd: "cat a.ts"}); text(r.output.slice(0, 9));`,
    ],
    [
      "another's output instead",
      `const r = await tools.exec_command({cmd: "cat a.ts"}); text(r.output ?? other);`,
    ],
    ["a choice", `const r = await tools.exec_command({cmd: "cat a.ts"}); text(r.output ? r.output : r);`],
    ["a value that is not in the code", `text(await tools.exec_command({cmd: \`cat $${"{file}"}\`}))`],
    ["words that are put together", `text(await tools.exec_command({cmd: "cat " + file}))`],
    ["a loop", `for (const f of ["a.ts"]) text(await tools.exec_command({cmd: "cat a.ts"}));`],
    ["a condition", `if (x) text(await tools.exec_command({cmd: "cat a.ts"}));`],
    [
      "another tool beside it",
      `text(await tools.exec_command({cmd: "cat a.ts"})); await tools.mcp__x__y({});`,
    ],
    ["a literal without its end", `text(await tools.exec_command({cmd: "cat a.ts`],
    ["a shell line", "cat a.ts"],
    ["nothing", ""],
  ])("returns nothing for %s", (_, code) => {
    expect(touches(code)).toEqual([]);
    expect(describeScript(code)).toMatchObject({ kind: "shell", commands: [] });
  });

  it("of another agent is an ordinary shell", () => {
    expect(createToolKinds().describe("exec", { command: "cat a.ts" }).files).toEqual([
      { path: "a.ts", operation: "read" },
    ]);
  });

  test("a file that it shows is not shortened before it is first sent", () => {
    const input = `const r = await tools.exec_command({cmd:"cat src/a.ts"}); text(r.output ?? JSON.stringify(r));`;
    const items = [
      { role: "user", content: "Go." },
      { type: "custom_tool_call", call_id: "c1", name: "exec", input },
      { type: "custom_tool_call_output", call_id: "c1", output: textOf(9_000) },
    ];
    expect(createPruner().prune(items).messages[2]).toBe(items[2]);
  });

  test("an older read is cut if a newer one shows the file", () => {
    const text = textOf(2_000);
    const step = (call_id: string) => [
      {
        type: "custom_tool_call",
        call_id,
        name: "exec",
        input: `const r = await tools.exec_command({cmd: "cat src/a.ts"});\ntext(r.output);`,
      },
      {
        type: "custom_tool_call_output",
        call_id,
        output: [
          { type: "input_text", text: "Script completed\nWall time 0.1 seconds\nOutput:\n" },
          { type: "input_text", text },
        ],
      },
    ];
    const say = (words: string) => ({
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: words }],
    });
    const items = [
      say("Go."),
      ...step("c1"),
      ...step("c2"),
      { role: "assistant", content: "Well." },
      say("On."),
    ];
    const { messages } = createPruner({ config: { schedule: { mode: "eager" } } }).prune(items);
    expect(JSON.stringify(messages[2]).length).toBeLessThan(1_000);
    expect(messages[4]).toBe(items[4]);
  });
});
