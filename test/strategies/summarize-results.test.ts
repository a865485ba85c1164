import { describe, expect, test } from "vitest";
import type { PartialConfig } from "../../src/config/config.ts";
import { createPruner } from "../../src/pruner.ts";
import { estimateTokens } from "../../src/transcript/estimate.ts";
import { Conversation, textOf } from "../conversation.ts";

const lines = (count: number, of: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => of(i)).join("\n");
const files = lines(150, (i) => `src/module${i}.ts`);
const log = lines(60, (i) => `step ${i} of the build is done`);

/** Everything except the newest result is old. */
function prune(conversation: Conversation, config: PartialConfig = {}) {
  const pruner = createPruner({
    prefixTokens: 8_000,
    config: {
      ...config,
      schedule: { mode: "eager", ingestCap: null },
      strategies: { pruneProtect: 100, pruneMinimum: 0, ...config.strategies },
    },
  });
  const { messages, report } = pruner.prune(conversation.messages, { meta: conversation.meta });
  return { report, outputs: messages.flatMap((message) => outputOf(message)) };
}

function outputOf(message: unknown): readonly unknown[] {
  const { role, content } = message as { role: string; content: unknown };
  return role === "tool" ? [content] : [];
}

/** Two results that make everything before them old. */
function age(conversation: Conversation): Conversation {
  return conversation.call("mystery", { n: 1 }, log).call("mystery", { n: 2 }, log);
}

describe("old results", () => {
  test("shrink to their summary, with the ref of the cut", () => {
    const { outputs, report } = prune(age(new Conversation().call("glob", { pattern: "**" }, files)));
    const [edit] = report.edits.map((entry) => entry.edit);
    if (edit?.type !== "replace") throw new Error("nothing was replaced");
    expect(outputs[0]).toBe(
      `[Pruned glob: 150 files, e.g., src/module0.ts, src/module1.ts, src/module2.ts... · ${edit.ref}]`,
    );
    expect(edit.author).toBe("summarize-results");
  });

  test("recent ones stay, and so do protected ones", () => {
    const conversation = new Conversation().call("edit", { filePath: "a.ts", oldString: "x" }, log);
    conversation.call("read", { filePath: "package.json" }, log);
    const { outputs } = prune(age(conversation));
    expect(outputs.slice(0, 2)).toEqual([log, log]);
    expect(outputs.at(-1)).toBe(log);
  });

  test("none is cut before all of them save the minimum; pressure does not wait for it", () => {
    const conversation = () => age(new Conversation().call("glob", { pattern: "**" }, files));
    const strategies = { pruneMinimum: 2_000 };
    expect(prune(conversation(), { strategies }).outputs[0]).toBe(files);
    expect(
      prune(conversation().call("glob", {}, `${files}\n${files}\n${files}`).call("x", {}, log), {
        strategies,
      }).outputs[0],
    ).toMatch(/^\[Pruned glob/);
    const many = Array.from({ length: 6 }, () => files).join("\n");
    const pressed = age(new Conversation().call("glob", { pattern: "**" }, many));
    const patient = { strategies: { pruneMinimum: 20_000 } };
    expect(prune(pressed, patient).outputs[0]).toBe(many);
    expect(prune(pressed, { ...patient, window: 18_000 }).outputs[0]).toMatch(/^\[Pruned glob/);
  });

  test("small ones stay, unless the user's own rule cuts them", () => {
    const small = lines(12, (i) => `src/module${i}.ts`);
    const conversation = () => age(new Conversation().call("glob", { pattern: "**" }, small));
    expect(prune(conversation()).outputs[0]).toBe(small);
    const summaries = [{ tool: "glob", keep: { first: 1 } }];
    expect(prune(conversation(), { summaries }).outputs[0]).toMatch(
      /^src\/module0\.ts\n\.\.\. \[11 lines omitted/,
    );
  });

  test("three calls: nothing happens under the documented defaults", () => {
    const conversation = new Conversation();
    for (let i = 0; i < 4; i++) conversation.call("glob", { pattern: `${i}` }, files);
    const { report } = createPruner({ config: { schedule: { mode: "eager" } } }).prune(conversation.messages);
    expect(report.edits).toEqual([]);
  });

  test("under the documented defaults a long session loses about half of its tokens, pruned results nine tenths", () => {
    const conversation = new Conversation();
    for (let i = 0; i < 32; i++) conversation.call("bash", { command: `make part${i}` }, textOf(2_500, i));
    const config = {
      schedule: { mode: "eager" as const, ingestCap: null },
      strategies: { spent: { enabled: false } },
    };
    const { report } = createPruner({ config }).prune(conversation.messages);
    const share = report.tokens.saved / report.tokens.before;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.6);
    const kept = report.edits.flatMap(({ edit }) =>
      edit.type === "replace" ? estimateTokens(edit.text) : [],
    );
    const left = kept.reduce((sum, tokens) => sum + tokens, 0);
    expect(left).toBeLessThan(0.1 * (left + report.tokens.saved));
  });

  test("parallel calls keep their own results", () => {
    const calls = ["a", "b"].map((id) => ({
      id,
      type: "function",
      function: { name: id === "a" ? "glob" : "tree", arguments: "{}" },
    }));
    const conversation = new Conversation();
    conversation.messages.push(
      { role: "assistant", content: null, tool_calls: calls },
      { role: "tool", tool_call_id: "b", content: lines(200, (i) => `dir${i}/`) },
      { role: "tool", tool_call_id: "a", content: files },
    );
    const { outputs } = prune(age(conversation));
    expect(outputs[0]).toMatch(/^\[Pruned tree: ~200 directories/);
    expect(outputs[1]).toMatch(/^\[Pruned glob: 150 files/);
  });

  test("a failed one keeps its error: all of it, or the telling lines if old errors are truncated", () => {
    const failed = `${lines(120, (i) => `context ${i} of it`)}\nerror: pattern is no glob`;
    const messages = [
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "glob", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content: failed, is_error: true }],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "t2", name: "x", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t2", content: log }] },
    ];
    const prunedWith = (truncateOldErrors: boolean, intelligentPruning = true) => {
      const strategies = {
        intelligentPruning,
        pruneProtect: 100,
        pruneMinimum: 0,
        purgeErrors: { turns: 99 },
        aggressivePruning: { truncateOldErrors },
      };
      return createPruner({ config: { schedule: { mode: "eager" }, strategies } }).prune(messages)
        .messages[2];
    };
    expect(prunedWith(false)).toBe(messages[2]);
    expect(prunedWith(false, false)).toBe(messages[2]);
    expect(JSON.stringify(prunedWith(true, false))).toMatch(/\[Tool output pruned - 2,075 chars · \w{6}\]/);
    expect(JSON.stringify(prunedWith(true))).toMatch(
      /\[Pruned glob: ✗ failure:\\nerror: pattern is no glob · \w{6}\]/,
    );
  });

  test("images stay, several texts become one summary, no host's instructions are among them", () => {
    const image = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" },
    };
    const note = "<system-reminder>use tabs</system-reminder>";
    const { messages } = createPruner({
      config: { schedule: { mode: "eager" }, strategies: { pruneProtect: 100, pruneMinimum: 0 } },
    }).prune([
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "glob", input: {} }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t1",
            content: [
              { type: "text", text: files },
              image,
              { type: "text", text: `${files}\n${files}\n${note}` },
            ],
          },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "t2", name: "x", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t2", content: log }] },
    ]);
    const [result] = (messages[2] as { content: readonly { content: readonly { text?: string }[] }[] })
      .content;
    const [text, ...others] = result?.content.filter((block) => block !== image) ?? [];
    expect(result?.content).toContain(image);
    expect(others).toEqual([]);
    expect(text?.text).toMatch(/^\[Pruned glob: 451 files, .* · \w{6}\]$/);
  });

  test("the agent's named text before the cut decides which lines stay", () => {
    const source = lines(100, (i) => (i === 50 ? "  return applyRate(order);" : `  const value = ${i};`));
    const views = { strategies: { spent: { views: 30 } } };
    const named = prune(
      age(new Conversation().call("read", { filePath: "a.ts" }, source).answer("It is applyRate.")),
      views,
    );
    expect(named.outputs[0]).toContain("applyRate(order)");
    const unnamed = prune(age(new Conversation().call("read", { filePath: "a.ts" }, source)), views);
    expect(unnamed.outputs[0]).not.toContain("applyRate(order)");
  });

  test("under verbose they stay", () => {
    const { outputs } = prune(age(new Conversation().call("glob", {}, files)), {
      strategies: { aggressivePruning: { preset: "verbose" } },
    });
    expect(outputs[0]).toBe(files);
  });

  test("without intelligent pruning a plain marker", () => {
    const { outputs } = prune(age(new Conversation().call("glob", {}, files)), {
      strategies: { intelligentPruning: false },
    });
    expect(outputs[0]).toMatch(/^\[Tool output pruned - 2,439 chars · \w{6}\]$/);
  });
});

describe("rules of the user's own", () => {
  test.each<[keep: NonNullable<PartialConfig["summaries"]>[number]["keep"], shown: RegExp]>([
    [{ first: 2, last: 1 }, /^step 0 .*\nstep 1 .*\n\.\.\. \[57 lines omitted · \w{6}\] \.\.\.\nstep 59 /],
    [{ last: 1 }, /^\.\.\. \[59 lines omitted · \w{6}\] \.\.\.\nstep 59 /],
    [
      { lines: "step 1[23] " },
      /^\.\.\. \[12 lines omitted · \w{6}\] \.\.\.\nstep 12 .*\nstep 13 .*\n\.\.\. \[46 lines omitted\] \.\.\.$/,
    ],
    [{ lines: "no such line" }, /^\[Tool output pruned - 1,729 chars · \w{6}\]$/],
    [{ template: "[{tool}: {lines} lines, {chars} chars]" }, /^\[my_tool: 60 lines, 1,729 chars · \w{6}\]$/],
  ])("%j", (keep, shown) => {
    const summaries = [{ tool: "my_*", keep }];
    const { outputs } = prune(age(new Conversation().call("my_tool", {}, log)), { summaries });
    expect(outputs[0]).toMatch(shown);
  });

  test("the first match is used, including for an MCP tool; an unusable rule is left out", () => {
    const summaries = [
      { tool: "my_*", keep: { lines: "(a+)+" } },
      { tool: "mcp__acme__my_tool", keep: { template: "[mine]" } },
      { tool: "*", keep: { template: "[all]" } },
    ];
    const conversation = new Conversation().call("mcp__acme__my_tool", {}, log).call("your_tool", {}, log);
    const { outputs, report } = prune(age(conversation), { summaries });
    expect(outputs[0]).toMatch(/^\[mine · /);
    expect(outputs[1]).toMatch(/^\[all · /);
    const errors = report.issues.filter(({ severity }) => severity === "error");
    expect(errors).toMatchObject([
      { code: "config-invalid-value", message: expect.stringContaining("summaries") },
    ]);
  });
});
