import { describe, expect, test } from "vitest";
import { answerRecall } from "../../src/answers/answer-recall.ts";
import { readLines, takePage } from "../../src/answers/page-text.ts";
import { createPruner } from "../../src/pruner.ts";
import { AgentSession } from "../agent/agent-session.ts";
import { Conversation, textOf } from "../conversation.ts";

const numbered = (lines: number, width = 0) =>
  Array.from({ length: lines }, (_, i) => `line ${i + 1}${"x".repeat(width)}`).join("\n");

function discarded(output: string): { session: AgentSession; ref: string } {
  const session = new AgentSession({ config: { schedule: { mode: "eager" } } }).call(
    "bash",
    { command: "npm test" },
    output,
  );
  const ref = session.ref("result");
  session.ask("discard", [[ref]]);
  return { session, ref };
}

describe("the returned text", () => {
  test("all of it, byte for byte", () => {
    const text = numbered(200);
    const { session, ref } = discarded(text);
    expect(session.recall({ ref })).toBe(`Original of ${ref} (bash npm test), lines 1–200 of 200:\n${text}`);
  });

  test.each([
    ["10-12", "lines 10–12 of 200:\nline 10\nline 11\nline 12"],
    ["199-", "lines 199–200 of 200:\nline 199\nline 200"],
    ["7", "lines 7–7 of 200:\nline 7"],
    ["190-900", "lines 190–200 of 200:\nline 190"],
    ["201-", "has 200 lines"],
    ["ten", 'Invalid lines "ten"'],
    ["9-3", 'Invalid lines "9-3"'],
  ])("lines %s", (lines, expected) => {
    const { session, ref } = discarded(numbered(200));
    expect(session.recall({ ref, lines })).toContain(expected);
  });

  test("matching lines with surrounding lines, ignoring case", () => {
    const text = numbered(200).replace("line 50", "TypeError: x").replace("line 52", "typeerror again");
    const { session, ref } = discarded(text);
    const answer = session.recall({ ref, search: "typeerror" });
    expect(answer).toContain(
      '2 lines with "typeerror":\n47-line 47\n48-line 48\n49-line 49\n50:TypeError: x\n51-line 51',
    );
    expect(answer.endsWith("55-line 55")).toBe(true);
    expect(session.recall({ ref, search: "line 1", lines: "100-109" })).toContain("10 lines with");
    expect(session.recall({ ref, search: "nothing like it" })).toContain("no line with");
  });

  test("a stretch, a dropped part, an automatic cut, a cut that was taken back", () => {
    const { session, ref } = discarded(textOf(900));
    session
      .call("bash", { command: "git status" }, textOf(300, 2))
      .call("bash", { command: "git status" }, textOf(300, 3));
    session.call("read", { filePath: "a" }, textOf(300, 4));
    const [marker] = session.results().filter((text) => text.startsWith("[superseded: newer git status"));
    const superseded = /· ([0-9a-f]{6})\]/.exec(marker ?? "")?.[1] ?? "";
    expect(session.recall({ ref: superseded })).toContain(textOf(300, 2));
    const answer = session.ask("replace", [["compute(order, 124)", "compute(order, 130)", "…"]]);
    const stretch = /Cut: ([0-9a-f]{6})@/.exec(answer)?.[1] ?? "";
    session.prune();
    expect(session.recall({ ref: stretch })).toMatch(/:\ncompute\(order, 124\)[\s\S]*compute\(order, 130\)$/);
    session.ask("restore", [[ref]]);
    expect(session.recall({ ref })).toContain("is not cut: it is in the context unchanged");
  });

  test("signed reasoning that was dropped", () => {
    const session = new AgentSession(
      { config: { schedule: { prices: { "*": { reasoning: "signed" } } } } },
      "anthropic-messages",
    ).step({
      thinking: { text: textOf(300, 6), signed: true },
      calls: [["bash", { command: "npm test" }, textOf(300)]],
    });
    session.step({ text: "done" }).prompt("next");
    const ref = session.ref("reasoning");
    session.ask("discard", [[ref]]);
    expect(session.recall({ ref })).toContain(textOf(300, 6));
  });

  test("refusals", () => {
    const { session } = discarded(textOf(400));
    expect(session.recall({ ref: "ABC" })).toContain("exactly 6 lowercase hex digits");
    expect(session.recall({})).toContain("No ref provided");
    expect(session.recall({ ref: "000000" })).toContain("000000 is unknown");
    const off = new AgentSession({ config: { tools: { recall: { enabled: false } } } });
    expect(off.recall({ ref: "000000" })).toBe("context_recall is turned off.");
  });

  test("after the host's compaction it reports that the originals are gone", () => {
    const time = (created: number) => ({ created });
    const text = (text: string, id: string) => ({ type: "text", text, id, sessionID: "s", messageID: "m" });
    const messages = [
      {
        info: { id: "m1", role: "user", time: time(1) },
        parts: [{ type: "compaction", id: "p1", auto: true }],
      },
      {
        info: { id: "m2", role: "assistant", summary: true, time: time(2) },
        parts: [text("what happened", "p2")],
      },
      { info: { id: "m3", role: "user", time: time(3) }, parts: [text("go on", "p3")] },
    ];
    const pruner = createPruner({ agentTools: true, format: "opencode" });
    pruner.prune(messages);
    const view = pruner.agentView();
    if (!view) throw new Error("no session");
    expect(answerRecall({ ref: "a1b2c3" }, view)).toContain("the host compacted it");
  });
});

describe("pages", () => {
  test("at most 2,000 lines and 50 KB, and each page names the next; together they are the text", () => {
    for (const text of [numbered(5_000), numbered(900, 100), "ö€😀".repeat(30_000)]) {
      const { session, ref } = discarded(text);
      let lines: string | undefined;
      let joined = "";
      let pages = 0;
      do {
        const answer = session.recall({ ref, ...(lines !== undefined && { lines }) });
        expect(answer.split("\n").length).toBeLessThanOrEqual(2_000);
        expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(50 * 1024);
        const [, body = "", next] = /:\n([\s\S]*?)(?:\n\(more: .* lines "([^"]+)"\))?$/.exec(answer) ?? [];
        joined += body + (next !== undefined && !next.includes("@") ? "\n" : "");
        lines = next;
      } while (lines !== undefined && ++pages < 20);
      expect(joined).toBe(text);
      expect(pages).toBeGreaterThan(0);
    }
  });

  test("positions", () => {
    expect(readLines("3@40-")).toEqual({ line: 3, character: 40 });
    expect(readLines("0-3")).toBeUndefined();
    expect(takePage(["abc", "d"], { line: 1, character: 1 })).toEqual({
      text: "bc\nd",
      last: 2,
      next: undefined,
    });
  });
});

test("a recalled text is protected for ten steps, and can be named afterwards by the tag it has from the start", () => {
  const { session, ref } = discarded(textOf(900));
  session.recall({ ref });
  expect(session.results().at(-1)).toMatch(/<tool_hash>[0-9a-f]{6}<\/tool_hash>$/);
  const recalled = session.ref("result", 2);
  for (let i = 0; i < 8; i++) session.call("bash", { command: `echo ${i}` }, "ok");
  expect(session.ask("discard", [[recalled]])).toContain(
    "a recalled text is protected for 10 steps, 2 of them left",
  );
  session.call("bash", { command: "echo x" }, "ok");
  expect(session.ask("discard", [[recalled]])).toContain("discard ✓");
});

test("a conversation without a session has no view", () => {
  const pruner = createPruner({ agentTools: true });
  expect(pruner.agentView("s")).toBeUndefined();
  pruner.prune(new Conversation().messages, { session: "s" });
  expect(pruner.agentView("s")).toBeDefined();
});
