import { describe, expect, test } from "vitest";
import type { PricedPlan } from "../../src/edits/cut-plan.ts";
import type { Cut } from "../../src/edits/edit.ts";
import { MessageBench } from "../../src/edits/message-bench.ts";
import { listRestored, namesPart, withdrawnBy } from "../../src/schedule/restorals.ts";
import type { Ref } from "../../src/transcript/refs.ts";
import { replacePlan } from "../plans.ts";

const LINE = "one more line of this output\n";

/** A result of two texts, the second the longer, with cuts by two authors. */
function makeBench() {
  const text = (lines: number) => ({ type: "text", text: LINE.repeat(lines) });
  const bench = new MessageBench([
    { role: "user", content: "go" },
    { role: "assistant", content: [{ type: "tool_use", id: "t", name: "bash", input: {} }] },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t", content: [text(20), text(30)] }],
    },
  ]);
  const cut = (author: string, leaf: string, from: number, to: number): Cut => {
    const span = { leaf, from: from * LINE.length, to: to * LINE.length, text: "…" };
    const made = bench.cut(replacePlan({ part: 2, author, ...span }));
    if (!made.ok) throw new Error(made.issue.message);
    return made.value;
  };
  const [short = "", long = ""] = bench.transcript.part(2).leaves.map(({ id }) => id);
  const cuts = {
    start: cut("agent", long, 0, 10),
    end: cut("spent", long, 20, 30),
    short: cut("agent", short, 0, 20),
  };
  return { bench, cuts, whole: bench.facts.partRef(2) as Ref };
}

describe("the cuts that a wish to restore names", () => {
  const { bench, cuts, whole } = makeBench();
  const list = (ref: Ref, author?: string) =>
    listRestored({ ref, author }, bench.facts, bench.ledger).map(({ id }) => id);
  test.each<[string, Ref, string | undefined, readonly Cut[]]>([
    ["the ref of a cut: that cut", cuts.start.ref, undefined, [cuts.start]],
    ["by its author", cuts.start.ref, "agent", [cuts.start]],
    ["and by nobody else", cuts.start.ref, "spent", []],
    ["one at the end of the text", cuts.end.ref, undefined, [cuts.end]],
    ["one of the whole of a shorter text", cuts.short.ref, undefined, [cuts.short]],
    ["the ref of the part: all of them", whole, undefined, [cuts.start, cuts.end, cuts.short]],
    ["of one author: only that author's", whole, "spent", [cuts.end]],
    ["no ref of ours", "abcdef" as Ref, undefined, []],
  ])("%s", (_, ref, author, expected) => {
    expect(list(ref, author)).toEqual(expected.map(({ id }) => id));
  });

  test("before the cut: withdraws the plan with that ref, and a requested plan by the ref of its part", () => {
    const waits = (ref: Ref, requested: boolean, part = 2): PricedPlan => ({
      ...replacePlan({ part, author: "spent", leaf: "", from: 0, to: 1, text: "" }),
      ...(requested && { requested }),
      price: { ref, saves: 9, since: 0 },
    });
    const isTaken = (ref: Ref, plan: PricedPlan, author?: string) =>
      withdrawnBy([{ ref, author }], bench.facts)(plan);
    expect(isTaken(cuts.start.ref, waits(cuts.start.ref, false))).toBe(true);
    expect(isTaken(whole, waits(cuts.start.ref, true))).toBe(true);
    expect(isTaken(whole, waits(cuts.start.ref, false)), "a pass's own plan for a passage").toBe(false);
    expect(isTaken(cuts.end.ref, waits(cuts.start.ref, true)), "another passage").toBe(false);
    expect(isTaken(whole, waits(cuts.start.ref, true, 1)), "another part").toBe(false);
    expect(isTaken(whole, waits(cuts.start.ref, true), "agent"), "another's").toBe(false);
  });

  test("only the whole of its longest text has the ref of the part", () => {
    expect(namesPart(whole, bench.facts)).toBe(true);
    for (const { ref } of [cuts.start, cuts.end, cuts.short]) expect(namesPart(ref, bench.facts)).toBe(false);
    expect(namesPart("abcdef" as Ref, bench.facts)).toBe(false);
  });
});
