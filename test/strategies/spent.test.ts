import { describe, expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { Conversation, textOf } from "../conversation.ts";

const config = { schedule: { mode: "eager" as const, ingestCap: null } };

function shownAfter(conversation: Conversation, more: Partial<typeof config> & object = {}) {
  const { messages, report } = createPruner({ config: { ...config, ...more } }).prune(conversation.messages);
  const results = messages.flatMap((message) => {
    const { role, content } = message as { role: string; content: string };
    return role === "tool" ? [content] : [];
  });
  return { results, messages, report };
}

function addSteps(conversation: Conversation, count: number): Conversation {
  for (let i = 0; i < count; i++) conversation.call("glob", { pattern: `*.${i}` }, "a.ts");
  return conversation;
}

describe("spent results", () => {
  const output = `${textOf(700)}\nFAIL applyDiscountRate in orders.test.ts\n${textOf(100, 1)}`;

  test("what a command printed goes when the agent has seen it, but for what it came to and what was named", () => {
    const run = () =>
      new Conversation("Why does applyDiscountRate fail?").call("bash", { command: "npm test" }, output);
    expect(shownAfter(addSteps(run(), 4)).results[0]).toBe(output);
    const { results, report } = shownAfter(addSteps(run(), 5));
    expect(results[0]).toMatch(/^\[Pruned bash: npm test → ✗ failure[\s\S]* · [0-9a-f]{6}\]$/);
    expect(results[0]).toContain("FAIL applyDiscountRate in orders.test.ts");
    expect(report.edits).toMatchObject([{ edit: { author: "spent-results" } }]);
  });

  describe("of a run that failed", () => {
    const stack = [
      "Traceback (most recent call last):",
      '  File "run.py", line 9, in run',
      '    return rates["x"]',
      "KeyError: 'x'",
    ];
    const said = [textOf(300), ...stack, textOf(200, 1), "error: 7 more", "error: 8 more"].join("\n");
    const run = (output: string) => new Conversation("go").call("bash", { command: "make" }, output);
    const truncated = { ...config, strategies: { aggressivePruning: { truncateOldErrors: true } } };

    test("every error stays, with its stack", () => {
      const [shown = ""] = shownAfter(addSteps(run(`${said}\n[exit code 2]`), 5)).results;
      expect(shown).toMatch(/^\[Pruned bash: make → ✗ failure \(exit code 2\)/);
      expect(shown).toContain([...stack, "error: 7 more", "error: 8 more"].join("\n"));
      expect(shown).not.toContain("compute");
      const [short = ""] = shownAfter(addSteps(run(`${said}\n[exit code 2]`), 5), truncated).results;
      expect(short).toContain("KeyError: 'x'");
      expect(short).not.toContain("run.py");
    });

    test("where no line tells what went wrong, its end stays", () => {
      const output = `${textOf(700)}\nthe disk is full\n[exit code 1]`;
      expect(shownAfter(addSteps(run(output), 5)).results[0]).toContain("the disk is full\n[exit code 1]");
      expect(shownAfter(addSteps(run(output), 5), truncated).results[0]).not.toContain("disk");
    });
  });

  test("a rule of the user's own says what stays, here too", () => {
    const summaries = [{ tool: "bash", keep: { first: 1, last: 1 } }];
    const run = new Conversation().call("bash", { command: "npm test" }, `one\n${textOf(700)}\ntwo`);
    const [shown] = shownAfter(addSteps(run, 5), { ...config, summaries } as object).results;
    expect(shown).toMatch(/^one\n\.\.\. \[\d+ lines omitted · [0-9a-f]{6}\] \.\.\.\ntwo$/);
  });

  test("a view of a file goes after thirty steps, but for the lines that hold what was named", () => {
    const view = () =>
      new Conversation("Look at applyDiscountRate.").call("read", { filePath: "a.ts" }, output);
    expect(shownAfter(addSteps(view(), 29)).results[0]).toBe(output);
    const shown = shownAfter(addSteps(view(), 30)).results[0];
    expect(shown).toMatch(/^\.\.\. \[\d+ lines omitted · [0-9a-f]{6}\] \.\.\.\nFAIL applyDiscountRate/);
  });

  test("not while the file is being edited", () => {
    const view = new Conversation().call("read", { filePath: "a.ts" }, output);
    view
      .call("apply_patch_like_edit", {}, "ok")
      .call("str_replace", { path: "a.ts", old_str: "x", new_str: "y" }, "ok");
    const views = { ...config, strategies: { aggressivePruning: { aggressiveFilePrune: "views" as const } } };
    expect(shownAfter(addSteps(view, 29), views).results[0]).toBe(output);
  });

  test("small results stay; a session of five calls stays as it is; off and verbose cut nothing", () => {
    const small = addSteps(new Conversation().call("bash", { command: "pwd" }, textOf(55)), 9);
    expect(shownAfter(small).report.edits).toEqual([]);
    const short = new Conversation();
    for (let i = 0; i < 5; i++) short.call("bash", { command: `npm run t${i}` }, textOf(1_500, i));
    expect(shownAfter(short).report.edits).toEqual([]);
    const long = () => addSteps(new Conversation().call("bash", { command: "npm test" }, output), 9);
    const off = { ...config, strategies: { spent: { enabled: false } } };
    const verbose = { ...config, strategies: { aggressivePruning: { preset: "verbose" as const } } };
    expect(shownAfter(long(), off).report.edits).toEqual([]);
    expect(shownAfter(long(), verbose).report.edits).toEqual([]);
  });
});

describe("spent inputs", () => {
  const prompt = textOf(600);

  test("large inputs shrink to what they were about; those of protected tools stay", () => {
    const asked = addSteps(new Conversation().call("query_db", { name: "orders", sql: prompt }, "ok"), 6);
    const { messages, report } = shownAfter(asked);
    expect(report.edits).toMatchObject([{ edit: { author: "spent-inputs" } }]);
    const call = messages[1] as { tool_calls: { function: { arguments: string } }[] };
    expect(JSON.parse(call.tool_calls[0]?.function.arguments ?? "")).toEqual({ name: "orders", sql: "" });
    const written = new Conversation().call("write", { filePath: "a.ts", content: prompt }, "ok");
    expect(shownAfter(addSteps(written, 9)).report.edits).toEqual([]);
  });
});
