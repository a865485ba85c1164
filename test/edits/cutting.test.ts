import { expect, test } from "vitest";
import { attempt } from "../../src/edits/attempt.ts";
import type { SignedPlan, PlannedSpan as Span } from "../../src/edits/cut-plan.ts";
import { Cutting } from "../../src/edits/cutting.ts";
import { guard } from "../../src/edits/guard.ts";
import { MessageBench } from "../../src/edits/message-bench.ts";
import { textOf } from "../conversation.ts";
import { dropPlan, replacePlan } from "../plans.ts";

/** Parts: 0 the prompt, 1 call, 2 result, 3 call, 4 result, 5 the next prompt. */
function makeCutting() {
  const use = (id: string) => ({
    role: "assistant",
    content: [{ type: "tool_use", id, name: "bash", input: {} }],
  });
  const result = (id: string, text: string) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content: text }],
  });
  const messages = [use("a"), result("a", textOf(300)), use("b"), result("b", textOf(300, 1))];
  const bench = new MessageBench([
    { role: "user", content: "go" },
    ...messages,
    { role: "user", content: "on" },
  ]);
  const { transcript, ledger, view, facts } = bench;
  const context = {
    transcript,
    ledger,
    view,
    refs: facts.refs,
    reasoning: "none",
    userAfterResult: true,
    callAfterResponse: true,
    showsRefs: true,
    protectedFrom: () => undefined,
  } as const;
  const cutting = new Cutting({
    transcript,
    ledger,
    view,
    request: 3,
    guard: (plan, span) => guard(plan, span, context),
  });
  return { cutting, bench };
}

const span = (from: number, to: number) => ({ leaf: "output", from, to, render: () => "…" });
const replace = (part: number, from: number, to: number) =>
  replacePlan({ part, leaf: "output", from, to, text: "…" });
const several = (...spans: [Span, ...Span[]]): SignedPlan => ({ ...replace(2, 0, 500), spans });
const none = span(5, 5);

test.each<[string, SignedPlan, edits: number, refused: number, from: number]>([
  ["one span", replace(4, 0, 500), 1, 0, 4],
  [
    "a second cut along with it, of an earlier part",
    { ...replace(4, 0, 500), along: [replace(2, 0, 500)] },
    2,
    0,
    2,
  ],
  ["a refused span is left out", several(span(0, 500), none, span(600, 999)), 2, 1, 2],
  [
    "if the first span is refused, nothing is cut",
    several(none, span(0, 500)),
    0,
    1,
    Number.POSITIVE_INFINITY,
  ],
  ["a group begins with its call", dropPlan(3), 1, 0, 3],
])("%s", (_, plan, edits, refused, from) => {
  const { cutting, bench } = makeCutting();
  cutting.apply(plan);
  expect(cutting.edits.length).toBe(edits);
  expect(bench.ledger.entries.map(({ edit, request }) => [edit, request])).toEqual(
    cutting.edits.map((edit) => [edit, 3]),
  );
  expect(cutting.refused.length).toBe(refused);
  expect(cutting.from).toBe(from);
});

test("an undone cut shows its text again, and changes the request from there on", () => {
  const { cutting, bench } = makeCutting();
  const whole = bench.view.total;
  cutting.apply(replace(4, 0, 500));
  expect(bench.view.total).toBeLessThan(whole);
  cutting.undo(bench.ledger.active(), "person", "restored");
  expect(bench.view.total).toBe(whole);
  expect(cutting.edits.map(({ type }) => type)).toEqual(["replace", "undo"]);
});

test("an attempt that is not kept leaves everything as it was", () => {
  const { cutting, bench } = makeCutting();
  const state = () => [[...cutting.edits], [...cutting.refused], cutting.from, bench.view.total];
  const empty = state();
  attempt(bench, () => {
    cutting.apply(replace(4, 0, 500));
    const one = state();
    attempt(bench, () => {
      cutting.apply(several(span(0, 500), none));
      return { keep: false, value: undefined };
    });
    expect(state()).toEqual(one);
    cutting.undo(bench.ledger.active(), "person", "restored");
    return { keep: false, value: undefined };
  });
  expect(state()).toEqual(empty);
});

test("an attempt that throws leaves everything as it was, and one that is kept stays", () => {
  const { cutting, bench } = makeCutting();
  const broken = () =>
    attempt(bench, () => {
      cutting.apply(replace(4, 0, 500));
      throw new Error("broken");
    });
  expect(broken).toThrow("broken");
  expect([cutting.edits, bench.ledger.entries]).toEqual([[], []]);
  attempt(bench, () => ({ keep: true, value: cutting.apply(replace(4, 0, 500)) }));
  expect(cutting.edits.length).toBe(1);
});
