import { describe, expect, test } from "vitest";
import { MessageBench } from "../../../src/edits/message-bench.ts";
import type { ShownSession } from "../../../src/strategies/rung.ts";
import { dropRung, placeholderRung, type TrimRungOptions } from "../../../src/strategies/trim/rungs.ts";
import { estimateTokens } from "../../../src/transcript/estimate.ts";
import type { Ref } from "../../../src/transcript/refs.ts";
import { numbered, textOf } from "../../conversation.ts";
import { dropPlan, replacePlan } from "../../plans.ts";
import { chatOf } from "./chat.ts";

const options: TrimRungOptions = { strategy: "priority-based", preserveRecentTurns: 2, maxAge: 2 };

const chat = chatOf(
  (c) =>
    c
      .call("read", { filePath: "old.ts" }, textOf(200, 1)) // call_0: a stale read
      .call("bash", { command: "npm test" }, textOf(200, 2)) // call_1: a stale result
      .call("read", { filePath: "CLAUDE.md" }, textOf(200, 3)) // call_2: instructions
      .call("edit", { filePath: "mine.ts", newString: "b" }, textOf(200, 4)) // call_3: modified
      .call("bash", { command: "ls" }, textOf(50, 5)) // call_4: small
      .call("read", { filePath: "new.ts" }, textOf(200, 6)) // call_5: a recent read
      .call("bash", { command: "npm run lint" }, textOf(200, 7)), // call_6: a recent result
);

function open(cut: readonly string[] = []): { bench: MessageBench<unknown>; shown: ShownSession } {
  const bench = new MessageBench<unknown>(chat);
  const isCut = (part: number) => cut.some((id) => bench.transcript.key(part) === `result:${id}#1`);
  const tokens = bench.view.tokens.map((count, part) => (isCut(part) ? 60 : count));
  return { bench, shown: { tokens, isCut } };
}

function listPlaceholders(
  more: Partial<TrimRungOptions> = {},
  cut: readonly string[] = [],
): readonly string[] {
  const { bench, shown } = open(cut);
  return [...placeholderRung({ ...options, ...more }).propose(bench.facts, shown)].map((item) => {
    if ("drop" in item) throw new Error("no placeholder");
    return bench.transcript.key(item.part).replace(/^result:(.*)#1$/, "$1");
  });
}

function listDrops(more: Partial<TrimRungOptions> = {}): readonly string[] {
  const { bench, shown } = open();
  return [...dropRung({ ...options, ...more }).propose(bench.facts, shown)].map((item) => {
    if (!("drop" in item)) throw new Error("no drop");
    return bench.transcript.key(item.part).replace(/^call:(.*)#1$/, "$1");
  });
}

describe("placeholders", () => {
  test("come in trim order, those of modified files last, and never for instructions", () => {
    expect(listPlaceholders()).toEqual(["call_1", "call_4", "call_0", "call_5", "call_6", "call_3"]);
  });

  test("what was shortened before goes first, while it is larger than its placeholder", () => {
    expect(listPlaceholders({}, ["call_0", "call_3"])).toEqual([
      "call_0",
      "call_1",
      "call_4",
      "call_5",
      "call_6",
      "call_3",
    ]);
    const { bench, shown } = open();
    const tiny = { ...shown, tokens: shown.tokens.map(() => 5) };
    expect([...placeholderRung(options).propose(bench.facts, tiny)]).toEqual([]);
  });

  test("by age: oldest first, small ones later, and nothing recent", () => {
    expect(listPlaceholders({ strategy: "age-based" })).toEqual(["call_0", "call_1", "call_3", "call_4"]);
  });

  test("carry the ref, and what the host put into the result", () => {
    const reminder = "<system-reminder>\nUse tabs.\n</system-reminder>";
    const output = `${numbered(textOf(200))}\n\n${reminder}`;
    const bench = new MessageBench(
      chatOf((c) => c.call("read", { filePath: "a.ts" }, output).answer("Done.")),
    );
    const shown = { tokens: bench.view.tokens, isCut: () => false };
    const [proposal] = placeholderRung(options).propose(bench.facts, shown);
    if (!proposal || "drop" in proposal) throw new Error("there is one");
    const tokens = estimateTokens(output);
    expect(proposal.spans[0].render("a1b2c3" as Ref)).toBe(
      `[Content truncated - file: a.ts - 2 steps ago - ${tokens} tokens · a1b2c3]\n${reminder}`,
    );
  });

  test("what it proposes the guard lets through", () => {
    const { bench, shown } = open();
    for (const item of placeholderRung(options).propose(bench.facts, shown)) {
      if ("drop" in item) continue;
      const [{ render, ...span }] = item.spans;
      const plan = replacePlan({ part: item.part, ...span, text: render("a1b2c3" as Ref) });
      expect(bench.cut(plan)).toMatchObject({ ok: true });
    }
  });
});

describe("whole groups", () => {
  test("come in trim order; what is modified or holds instructions keeps its place", () => {
    expect(listDrops()).toEqual(["call_1", "call_4", "call_0", "call_5", "call_6"]);
  });

  test("by age: oldest first, and nothing recent", () => {
    expect(listDrops({ strategy: "age-based" })).toEqual(["call_0", "call_1", "call_4"]);
  });

  test("after placeholders they save what is still shown", () => {
    const { bench, shown } = open();
    for (const item of placeholderRung(options).propose(bench.facts, shown)) {
      if ("drop" in item) continue;
      const [{ render, ...span }] = item.spans;
      const text = render("a1b2c3" as Ref);
      bench.cut(replacePlan({ part: item.part, ...span, text }));
    }
    for (const item of dropRung(options).propose(bench.facts, shown)) {
      if (!("drop" in item)) continue;
      const before = bench.view.total;
      const cut = bench.cut(dropPlan(item.part));
      expect(cut.ok && cut.value.saved).toBe(before - bench.view.total);
    }
  });
});
