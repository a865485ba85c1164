import { describe, expect, test } from "vitest";
import type { PartialConfig } from "../../src/config/config.ts";
import { createPruner } from "../../src/pruner.ts";
import { estimateTokens } from "../../src/transcript/estimate.ts";
import { Conversation, textOf } from "../conversation.ts";

const config = { schedule: { mode: "eager" as const, ingestCap: null } };

function shownAfter(conversation: Conversation, more: PartialConfig = {}) {
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
  const output = `${textOf(700)}\ntotal of applyDiscountRate in orders.test.ts: 7\n${textOf(100, 1)}`;

  test("the output of a command is cut after the agent has seen it, except its conclusion and the names that occur nowhere else", () => {
    const run = () =>
      new Conversation("What does applyDiscountRate give?").call("bash", { command: "npm test" }, output);
    expect(shownAfter(addSteps(run(), 4)).results[0]).toBe(output);
    const { results, report } = shownAfter(addSteps(run(), 5));
    expect(results[0]).toMatch(/^\[Pruned bash: npm test → ✓ success[^\n]* · [0-9a-f]{6}\]$/);
    expect(results[0]).toContain("also names orders.test.ts");
    expect(report.edits).toMatchObject([{ edit: { author: "spent-results" } }]);
  });

  test("a small result stays whole, even with the tag that it was sent with before", () => {
    const small = textOf(700).slice(0, 230);
    expect(estimateTokens(small)).toBeLessThan(80);
    const tagged = `${small}\n<tool_hash>a1b2c3</tool_hash>\n<message_hash>d4e5f6</message_hash>`;
    expect(estimateTokens(tagged)).toBeGreaterThan(80);
    for (const output of [small, tagged]) {
      const session = new Conversation("go").call("bash", { command: "npm test" }, output);
      expect(shownAfter(addSteps(session, 6)).results[0]).toBe(output);
    }
  });

  test("a small view is cut whatever other parts show: with the names that occur nowhere else, or without", () => {
    const lines = Array.from(
      { length: 12 },
      (_, i) => `export const valueNumber${i} = computeValue${i}(inputOf${i});`,
    );
    const view = (rest: string) =>
      addSteps(
        new Conversation("go")
          .call("bash", { command: "true" }, rest)
          .call("read", { filePath: "a.ts" }, lines.join("\n")),
        20,
      );
    for (const rest of ["ok", lines.join(" ")]) {
      const { results, report } = shownAfter(view(rest), { strategies: { spent: { views: 8 } } });
      expect(results[1]).toContain("lines omitted");
      expect(report.edits.some(({ edit }) => edit.author === "spent-results")).toBe(true);
    }
  });

  describe("of a run that failed", () => {
    const passed = Array.from({ length: 60 }, (_, i) => `✓ adds ${i} and ${i + 1}`).join("\n");
    const failure = "--- FAIL: TestSum (0.00s)\n    sum_test.go:9: got 3, want 4\nerror: 7 more";
    const said = `${passed}\n${failure}\n${textOf(300)}`;
    const left = /^\.\.\. \[60 lines omitted · [0-9a-f]{6}\] \.\.\.\n/;
    const run = (output: string) => new Conversation("go").call("bash", { command: "make" }, output);
    const truncated = { ...config, strategies: { aggressivePruning: { truncateOldErrors: true } } };

    test.each([
      ["the exit code in its text tells", `${said}\n[exit code 2]`],
      ["no exit code, only lines tell", said],
    ])("everything stays except success: %s", (_, output) => {
      const [shown = ""] = shownAfter(addSteps(run(output), 5)).results;
      expect(shown).toMatch(left);
      expect(shown.replace(left, "")).toBe(output.slice(passed.length + 1));
      const [short = ""] = shownAfter(addSteps(run(output), 5), truncated).results;
      expect(short).toMatch(/^\[Pruned bash: make → ✗ failure/);
      expect(short).not.toContain("want 4");
    });

    test("the host tells its exit code", () => {
      const tool = (id: string, command: string, output: string, exit: number) => ({
        info: { id: `m${id}`, role: "assistant", sessionID: "s" },
        parts: [
          {
            id: `p${id}`,
            type: "tool",
            tool: "bash",
            callID: `c${id}`,
            state: { status: "completed", input: { command }, output, title: "", metadata: { exit } },
          },
        ],
      });
      const user = { info: { id: "m", role: "user" }, parts: [{ id: "p", type: "text", text: "go" }] };
      const steps = ["1", "2", "3", "4", "5"].map((id) => tool(id, `date ${id}`, "ok", 0));
      const shownWith = (exit: number) => {
        const messages = [user, tool("0", "make", said, exit), ...steps];
        const [, run] = createPruner({ config }).prune<unknown>(messages).messages;
        return (run as ReturnType<typeof tool>).parts[0]?.state.output ?? "";
      };
      expect(shownWith(1).replace(left, "")).toBe(said.slice(passed.length + 1));
      expect(shownWith(0)).toMatch(/^\[Pruned bash: make → ✓ success/);
    });

    test("without lines of success, all of it stays", () => {
      const output = `${textOf(700)}\nthe disk is full\n[exit code 1]`;
      expect(shownAfter(addSteps(run(output), 5)).results[0]).toBe(output);
      expect(shownAfter(addSteps(run(output), 5), truncated).results[0]).not.toContain("disk");
      const view = new Conversation("go").call("bash", { command: "cat a.ts b.ts" }, output);
      expect(shownAfter(addSteps(view, 32)).results[0]).toBe(output);
    });
  });

  test("the user's own rule decides here too", () => {
    const summaries = [{ tool: "bash", keep: { first: 1, last: 1 } }];
    const run = new Conversation().call("bash", { command: "npm test" }, `one\n${textOf(700)}\ntwo`);
    const [shown] = shownAfter(addSteps(run, 5), { ...config, summaries } as object).results;
    expect(shown).toMatch(/^one\n\.\.\. \[\d+ lines omitted · [0-9a-f]{6}\] \.\.\.\ntwo$/);
  });

  test("a view of a file is cut when it is old, except the lines with named text", () => {
    const view = () =>
      new Conversation("Look at applyDiscountRate.").call("read", { filePath: "a.ts" }, output);
    expect(shownAfter(addSteps(view(), 29)).results[0]).toBe(output);
    const shown = shownAfter(addSteps(view(), 30)).results[0];
    expect(shown).toMatch(
      /^\.\.\. \[\d+ lines omitted · read a.ts again · [0-9a-f]{6}\] \.\.\.\ntotal of applyDiscountRate/,
    );
  });

  test("not while the file is being edited, nor while the task names it", () => {
    const edit = { path: "a.ts", old_str: "x", new_str: "y" };
    const views = { ...config, strategies: { aggressivePruning: { aggressiveFilePrune: "views" as const } } };
    const edited = addSteps(new Conversation().call("read", { filePath: "a.ts" }, output), 29);
    edited.call("str_replace", edit, "ok").call("glob", { pattern: "*" }, "a.ts");
    expect(shownAfter(edited, views).results[0]).toBe(output);
    expect(shownAfter(addSteps(edited, 4), views).results[0]).not.toBe(output);
    const named = addSteps(new Conversation("Look at a.ts.").call("read", { filePath: "a.ts" }, output), 40);
    expect(shownAfter(named, views).results[0]).toBe(output);
  });

  test("an age set by a person decides alone", () => {
    const named = () => new Conversation("Look at a.ts.").call("read", { filePath: "a.ts" }, output);
    const views = { strategies: { spent: { views: 12 } } };
    expect(shownAfter(addSteps(named(), 11), views).results[0]).toBe(output);
    expect(shownAfter(addSteps(named(), 12), views).results[0]).not.toBe(output);
  });

  test.each([3, 4, 5])("docs/limits.md: with %i calls nothing is cut, however long the chat", (calls) => {
    const session = new Conversation();
    for (let i = 0; i < calls; i++) session.call("bash", { command: `npm run t${i}` }, textOf(300, i));
    const pruner = createPruner();
    for (let i = 0; i < 20; i++) {
      session.answer(`That was ${i}.`).say(`And ${i}?`);
      expect(pruner.prune(session.messages, { meta: session.meta }).report.edits).toEqual([]);
    }
    expect(shownAfter(session).report.edits, "nor where nothing waits").toEqual([]);
    for (let i = calls; i < 6; i++) session.call("bash", { command: `npm run t${i}` }, textOf(300, i));
    const authors = shownAfter(session).report.edits.map(({ edit }) => edit.author);
    expect(authors, "with the sixth all that is due goes").toEqual(Array(5).fill("spent-results"));
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

  test("large inputs shrink to their subject; those of protected tools stay", () => {
    const asked = addSteps(new Conversation().call("query_db", { name: "orders", sql: prompt }, "ok"), 6);
    const { messages, report } = shownAfter(asked);
    expect(report.edits).toMatchObject([{ edit: { author: "spent-inputs" } }]);
    const call = messages[1] as { tool_calls: { function: { arguments: string } }[] };
    expect(JSON.parse(call.tool_calls[0]?.function.arguments ?? "")).toEqual({ name: "orders", sql: "" });
    const written = new Conversation().call("write", { filePath: "a.ts", content: prompt }, "ok");
    expect(shownAfter(addSteps(written, 9)).report.edits).toEqual([]);
  });
});
