import { describe, expect, test } from "vitest";
import type { Batch, PricedPlan, ReplacePlan, SignedPlan } from "../../src/edits/cut-plan.ts";
import { type Guard, type GuardContext, guard } from "../../src/edits/guard.ts";
import { Ledger } from "../../src/edits/ledger.ts";
import { pricePlan } from "../../src/edits/price-plan.ts";
import { View } from "../../src/edits/view.ts";
import { enqueue, lapse, splitHeld } from "../../src/schedule/queue.ts";
import type { Part } from "../../src/transcript/part.ts";
import { type Ref, Refs } from "../../src/transcript/refs.ts";
import { Transcript } from "../../src/transcript/transcript.ts";

const LINE = "one more line of this output\n";

/** Results of two texts each. */
function makeContext(): GuardContext {
  const transcript = new Transcript();
  const leaves = [
    { id: "a", text: LINE.repeat(40) },
    { id: "b", text: LINE.repeat(20) },
  ];
  const results = ["x", "y", "z"].map(
    (callId): Part => ({ kind: "result", slot: callId, role: "tool", callId, status: "ok", leaves }),
  );
  transcript.append(results, 0, false);
  const refs = new Refs(transcript.undoLog);
  const ledger = new Ledger(transcript.undoLog);
  const view = new View(transcript, ledger);
  view.extend(() => undefined);
  return {
    transcript,
    ledger,
    view,
    refs,
    reasoning: "none",
    userAfterResult: true,
    callAfterResponse: true,
    showsRefs: true,
    protectedFrom: () => undefined,
  };
}

const check =
  (context: GuardContext): Guard =>
  (plan, span) =>
    guard(plan, span, context);

type SignedReplacePlan = ReplacePlan & { readonly author: string };

/** A plan to cut the first lines of a text. */
const whole = (text: string, more: Partial<SignedReplacePlan> = {}): SignedReplacePlan => ({
  part: 0,
  author: "x",
  spans: [{ leaf: "a", from: 0, to: LINE.length * 40, render: () => text }],
  reason: "old",
  ...more,
});

describe("of two plans for the same place one is kept, with the rent of the first", () => {
  const much = "[gone]";
  const little = LINE.repeat(20);
  const batch: Batch = { name: "b", minimum: 1 };
  test.each<[string, ReplacePlan, ReplacePlan, stays: "first" | "second"]>([
    ["what saves more", whole(little), whole(much), "second"],
    ["though it came first", whole(much), whole(little), "first"],
    ["of equals the first", whole(much), whole(much), "first"],
    ["a requested plan, although it saves less", whole(much), whole(little, { requested: true }), "second"],
    ["though it came first", whole(little, { requested: true }), whole(much), "first"],
    [
      "of two wishes the last",
      whole(much, { requested: true }),
      whole(little, { requested: true }),
      "second",
    ],
    ["a plan without a batch, although it saves less", whole(much, { batch }), whole(little), "second"],
    ["though it came first", whole(little), whole(much, { batch }), "first"],
    ["in batches, the plan that saves more", whole(little, { batch }), whole(much, { batch }), "second"],
    ["though it came first", whole(much, { batch }), whole(little, { batch }), "first"],
  ])("%s", (_, first, second, stays) => {
    const guarded = check(makeContext());
    const [one, two] = [
      { ...first, author: "first" },
      { ...second, author: "second" },
    ];
    const queue = enqueue(enqueue([], [one], 1, guarded), [two], 5, guarded);
    expect(queue).toMatchObject([{ author: stays, price: { since: 1 } }]);
  });

  test("plans for other places stay in order", () => {
    const guarded = check(makeContext());
    const at = (part: number): SignedPlan => whole(much, { part, author: `of ${part}` });
    const queue = enqueue(enqueue([], [at(2), at(0)], 1, guarded), [at(1)], 5, guarded);
    expect(queue.map(({ author, price }) => [author, price.since])).toEqual([
      ["of 2", 1],
      ["of 0", 1],
      ["of 1", 5],
    ]);
  });
});

test("a plan that was promised for the last request and was not possible waits like one that was promised for later", () => {
  const queue = [{ timing: "now" }, { timing: "later" }, {}] as const;
  expect(lapse(queue)).toEqual([{ timing: "later" }, { timing: "later" }, {}]);
  const waiting = queue.slice(1);
  expect(lapse(waiting)).toBe(waiting);
});

describe("plans that are admitted", () => {
  const saving = (lines: number, more: Partial<ReplacePlan> = {}) =>
    whole("", { spans: [{ leaf: "a", from: 0, to: LINE.length * lines, render: () => "" }], ...more });

  test("a saving of less than ten tokens is not worth a cut, unless it was requested", () => {
    const guarded = check(makeContext());
    const least = [1, 2, 3].map((lines) => pricePlan(saving(lines, { requested: true }), guarded));
    const saves = least.map((each) => (each.ok ? each.value.price.saves : 0));
    expect(saves[0]).toBeLessThan(10);
    for (const [i, lines] of [1, 2, 3].entries())
      expect(pricePlan(saving(lines), guarded).ok).toBe((saves[i] ?? 0) >= 10);
    expect(pricePlan(saving(1), guarded)).toMatchObject({
      issue: { code: "edit-refused", severity: "info", message: expect.stringContaining("not worth a cut") },
    });
  });

  test("a saving of exactly ten tokens is", () => {
    const context = makeContext();
    const ten: Guard = (plan, span) => {
      const checked = guard(plan, span, context);
      return checked.ok ? { ...checked, value: { ...checked.value, saved: 10 } } : checked;
    };
    expect(pricePlan(saving(3), ten).ok).toBe(true);
  });

  test("a plan saves its first span and the other allowed spans; a refused span is left out", () => {
    const context = makeContext();
    const span = (leaf: string, to: number) => ({ leaf, from: 0, to, render: () => "[gone]" });
    const main = span("a", LINE.length * 40);
    const other = span("b", LINE.length * 20);
    const savesOf = (...spans: ReplacePlan["spans"]) => {
      const priced = pricePlan(whole("", { spans }), check(context));
      return priced.ok ? priced.value.price.saves : 0;
    };
    expect(savesOf(main, other)).toBe(savesOf(main) + savesOf(other));
    expect(savesOf(main, span("no such text", 5))).toBe(savesOf(main));
    expect(savesOf(span("no such text", 5), main)).toBe(0);
  });

  test("the edit keeps the plan's references, and protects them from then on", () => {
    const context = makeContext();
    const needs = [context.transcript.key(1)];
    const priced = pricePlan(whole("[as above]", { needs }), check(context));
    const cut = priced.ok ? guard(priced.value, undefined, context) : undefined;
    if (!cut?.ok) throw new Error("refused");
    context.ledger.record(cut.value, 0);
    expect(pricePlan(whole("[gone]", { part: 1 }), check(context))).toMatchObject({
      ok: false,
      issue: { message: expect.stringContaining("refers to it") },
    });
    const plain = pricePlan(whole("[gone]", { part: 2 }), check(context));
    const other = plain.ok ? guard(plain.value, undefined, context) : undefined;
    expect(other).toMatchObject({ ok: true, value: { needs: [] } });
  });
});

describe("a batch waits until it saves enough together", () => {
  const waiting = (name: string, saves: number, batch?: Batch): PricedPlan => ({
    ...whole("", { author: name, ...(batch && { batch }) }),
    price: { ref: "a1b2c3" as Ref, saves, since: 0 },
  });
  const big: Batch = { name: "big", minimum: 100 };
  const small: Batch = { name: "small", minimum: 10 };
  test.each<[string, readonly PricedPlan[], due: readonly string[], held: readonly string[]]>([
    ["without a batch at once", [waiting("a", 1)], ["a"], []],
    ["too little", [waiting("a", 99, big)], [], ["a"]],
    ["just enough", [waiting("a", 60, big), waiting("b", 40, big)], ["a", "b"], []],
    ["each for itself", [waiting("a", 95, big), waiting("b", 10, small)], ["b"], ["a"]],
    [
      "a plan without a batch does not count for one",
      [waiting("a", 50, big), waiting("b", 50)],
      ["b"],
      ["a"],
    ],
  ])("%s", (_, queue, due, held) => {
    const split = splitHeld(queue);
    expect(split.due.map(({ author }) => author)).toEqual(due);
    expect(split.held.map(({ author }) => author)).toEqual(held);
  });
});
