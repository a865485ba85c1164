import { describe, expect, test } from "vitest";
import type { ReplacePlan, SignedPlan } from "../../src/edits/cut-plan.ts";
import { type GuardContext, guard as guardSpan, guardSpans } from "../../src/edits/guard.ts";
import { Ledger } from "../../src/edits/ledger.ts";
import { MessageBench } from "../../src/edits/message-bench.ts";
import { View } from "../../src/edits/view.ts";
import type { ReasoningRule } from "../../src/models/profile.ts";
import { hashText } from "../../src/transcript/hash.ts";
import type { Part } from "../../src/transcript/part.ts";
import { Refs } from "../../src/transcript/refs.ts";
import { Transcript } from "../../src/transcript/transcript.ts";
import { dropPlan, replacePlan } from "../plans.ts";

const LONG = "a line of output that is long enough to be worth a cut\n".repeat(6);

/** Two turns: a finished one with a signed and an unsigned step, and the current one. */
function makeContext(reasoning: ReasoningRule = "none"): GuardContext {
  const transcript = new Transcript();
  const part = (p: Partial<Part> & Pick<Part, "kind">): Part =>
    ({ slot: "0", role: "assistant", leaves: [], ...p }) as Part;
  const leaf = (id: string, text = LONG) => [{ id, text }];
  const think = (signed: boolean) => part({ kind: "reasoning", signed, leaves: leaf("text") });
  const call = (callId: string, more: object = {}) =>
    part({
      kind: "call",
      callId,
      tool: "bash",
      input: { command: LONG },
      leaves: leaf("input/command"),
      ...more,
    });
  const result = (callId: string, status = "ok") =>
    part({
      kind: "result",
      role: "tool",
      callId,
      status: status as "ok",
      leaves: leaf("output", `${LONG}👩‍🚀`),
    });
  const append = (parts: Part[], turn = false) => transcript.append(parts, 0, turn);
  append(
    [
      part({ kind: "text", role: "user", leaves: leaf("text") }),
      part({
        kind: "file",
        role: "user",
        media: { mime: "image/png" },
        leaves: leaf("data", "x".repeat(400)),
      }),
    ],
    true,
  );
  append([{ ...think(true), opensStep: true }, call("a"), call("b")]);
  append([result("a"), result("b")]);
  append([{ ...think(false), opensStep: true }, call("s", { signed: true }), call("v", { server: true })]);
  append([result("s"), result("p", "pending"), result("q", "cleared")]);
  append([part({ kind: "text", role: "user", leaves: leaf("text") })], true);
  append([{ ...think(true), opensStep: true }, call("c")]);
  append([result("c")]);
  const ledger = new Ledger(transcript.undoLog);
  const view = new View(transcript, ledger);
  view.extend(() => undefined);
  return {
    transcript,
    ledger,
    view,
    refs: new Refs(transcript.undoLog),
    reasoning,
    userAfterResult: true,
    callAfterResponse: true,
    showsRefs: true,
    protectedFrom: (i) => (i === 0 ? "the user's words are protected" : undefined),
  };
}

const guard = (plan: SignedPlan, context: GuardContext) => guardSpan(plan, undefined, context);

interface More extends Partial<Omit<ReplacePlan, "spans">> {
  readonly from?: number;
  readonly to?: number;
  readonly text?: string;
}

const replace = (part: number, leaf: string, more: More = {}) =>
  replacePlan({ part, leaf, from: 0, to: LONG.length, text: "[cut]", ...more });

// parts: 0 user text, 1 file, 2 signed reasoning, 3 call a, 4 call b, 5 result a, 6 result b,
// 7 unsigned reasoning, 8 signed call, 9 server call, 10 result s, 11 pending, 12 cleared, 13 user, 14 signed, 15 call c, 16 result c
describe("replace", () => {
  test.each<[string, SignedPlan, string | undefined]>([
    ["a result", replace(5, "output"), undefined],
    ["a field of an input", replace(3, "input/command"), undefined],
    ["unsigned reasoning", replace(7, "text"), undefined],
    ["a file, whole", replace(1, "data", { to: 400, text: "[file]" }), undefined],
    ["no such part", replace(99, "output"), "no such part"],
    ["no such leaf", replace(5, "text"), "no leaf text"],
    ["an empty span", replace(5, "output", { from: 5, to: 5 }), "not a span"],
    ["past the end", replace(5, "output", { to: 10_000 }), "not a span"],
    ["before the start", replace(5, "output", { from: -1 }), "not a span"],
    ["backwards", replace(5, "output", { from: 100, to: 50 }), "not a span"],
    ["not an integer", replace(5, "output", { from: 0.5 }), "not a span"],
    ["not an integer at the end", replace(5, "output", { to: 100.5 }), "not a span"],
    ["not a number", replace(5, "output", { to: Number.NaN }), "not a span"],
    ["up to a surrogate pair", replace(5, "output", { to: LONG.length }), undefined],
    ["up to the end of the pair", replace(5, "output", { to: LONG.length + 2 }), undefined],
    [
      "from inside it",
      replace(5, "output", { from: LONG.length + 1, to: LONG.length + 5 }),
      "split a character",
    ],
    ["the end of a file", replace(1, "data", { from: 1, to: 400 }), "can only be replaced whole"],
    ["half a character", replace(5, "output", { to: LONG.length + 1 }), "split a character"],
    ["half a file", replace(1, "data", { to: 10 }), "can only be replaced whole"],
    ["a protected part", replace(0, "text"), "protected"],
    ["signed reasoning", replace(2, "text"), "signed reasoning"],
    ["the input of a signed call", replace(8, "input/command"), "signature"],
    ["a call that the provider ran", replace(9, "input/command"), "provider ran"],
    ["a result that has not arrived", replace(11, "output"), "has not arrived yet"],
    ["a result that the host has cleared", replace(12, "output"), "cleared"],
    ["a replacement that saves nothing", replace(5, "output", { text: LONG }), "smaller"],
    [
      "a reference to a part that does not exist",
      replace(5, "output", { needs: ["call:zzz#1" as never] }),
      "does not exist",
    ],
    ["a reference to itself", replace(5, "output", { needs: ["result:a#1" as never] }), "cut itself"],
  ])("%s", (_, plan, refusal) => {
    const checked = guard(plan, makeContext());
    if (refusal === undefined) expect(checked.ok).toBe(true);
    else
      expect(checked).toMatchObject({
        ok: false,
        issue: { code: "edit-refused", message: expect.stringContaining(refusal) },
      });
  });

  test("a partial overlap is refused, a nested edit is not, and one that would be hidden saves nothing", () => {
    const context = makeContext();
    const first = guard(replace(5, "output", { from: 50, to: 150 }), context);
    if (!first.ok) throw new Error(first.issue.message);
    context.ledger.record(first.value, 0);
    const overlapping = { ok: false, issue: { message: expect.stringContaining("in part") } };
    expect(guard(replace(5, "output", { from: 100, to: 300 }), context)).toMatchObject(overlapping);
    expect(guard(replace(5, "output", { from: 0, to: 100 }), context)).toMatchObject(overlapping);
    expect(guard(replace(5, "output", { from: 60, to: 100 }), context)).toMatchObject({
      ok: false,
      issue: { message: expect.stringContaining("smaller") },
    });
    const outer = guard(replace(5, "output"), context);
    expect(outer).toMatchObject({ ok: true, value: { original: { length: LONG.length } } });
  });

  test("the same span twice shares the ref, not the id", () => {
    const context = makeContext();
    const first = guard(replace(5, "output"), context);
    if (!first.ok) throw new Error(first.issue.message);
    context.ledger.record(first.value, 0);
    const second = guard(replace(5, "output", { text: "" }), context);
    if (!second.ok) throw new Error(second.issue.message);
    expect(second.value.ref).toBe(first.value.ref);
    expect(second.value.id).not.toBe(first.value.id);
  });
});

describe("drop", () => {
  test.each<[string, number, ReasoningRule, string | readonly number[]]>([
    ["a group of a finished turn, its reasoning with it", 3, "signed", [2, 3, 4, 5, 6]],
    ["the same group, named by another call", 4, "none", [2, 3, 4, 5, 6]],
    ["signed reasoning of a finished turn", 2, "signed", [2]],
    ["unsigned reasoning", 7, "none", [7]],
    ["a field that the provider requires", 7, "field", "requires this field"],
    ["signed reasoning of the current loop", 14, "signed", "current tool loop"],
    ["its group", 15, "signed", "current tool loop"],
    ["a result", 5, "none", "with its group"],
    ["a group with a call that the provider ran", 8, "none", "provider ran"],
  ])("%s", (_, part, rule, expected) => {
    const context = makeContext(rule);
    const checked = guard(dropPlan(part), context);
    if (typeof expected === "string")
      expect(checked).toMatchObject({ ok: false, issue: { message: expect.stringContaining(expected) } });
    else
      expect(checked).toMatchObject({
        ok: true,
        value: { parts: expected.map((i) => context.transcript.key(i)) },
      });
  });

  describe("the text of a message", () => {
    const text = (role: "user" | "assistant" | "system", content: string): unknown => ({ role, content });
    const use = (id: string): unknown => ({ type: "tool_use", id, name: "bash", input: {} });
    const result = (id: string): unknown => ({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: LONG }],
    });
    const thinking = { type: "thinking", thinking: "hm", signature: "c2ln" };
    const says = { type: "text", text: LONG };
    const server = { type: "server_tool_use", id: "s", name: "web_search", input: {} };
    const found = { type: "web_search_tool_result", tool_use_id: "s", content: [] };
    const answer = (...content: unknown[]): unknown => ({ role: "assistant", content });

    test.each<[string, readonly unknown[], number, string | readonly number[]]>([
      ["a user message of a finished turn", [text("user", "a"), text("user", "b")], 0, [0]],
      ["the newest user message", [text("user", "a"), text("user", "b")], 1, "newest user message"],
      ["system text", [text("system", "a"), text("user", "b")], 0, "system text"],
      ["a response with its signed reasoning", [answer(thinking, says), text("user", "b")], 1, [0, 1]],
      ["a response of the current turn", [text("user", "a"), answer(thinking, says)], 2, "current tool loop"],
      ["text beside calls", [answer(says, use("a")), result("a"), text("user", "b")], 0, "its calls"],
      [
        "text beside results: they stay",
        [
          text("user", "a"),
          answer(use("a")),
          { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "x" }, says] },
          text("user", "b"),
        ],
        3,
        [3],
      ],
      [
        "calls that the provider ran are dropped with the text",
        [answer(says, server, found), text("user", "b")],
        0,
        [0, 1, 2],
      ],
      ["a result without a call", [result("x"), text("user", "b")], 0, [0]],
      [
        "the input between the newest, signed response and the one before it",
        [
          text("user", "a"),
          answer(says),
          text("user", "b"),
          answer(thinking, use("a")),
          result("a"),
          text("user", "c"),
        ],
        2,
        "come first",
      ],
      [
        "the same with a response in two messages",
        [answer(says, use("a")), result("a"), answer(thinking, says), answer(use("b")), result("b")],
        1,
        "come first",
      ],
      [
        "the newest response, if the rule would then apply to an older one",
        [
          text("user", "a"),
          answer(says),
          answer(thinking, use("a")),
          result("a"),
          answer(says),
          text("user", "b"),
        ],
        5,
        "newest response stays",
      ],
      [
        "the input between older responses",
        [answer(says), text("user", "b"), answer(thinking, says), text("user", "c"), answer(says)],
        1,
        [1],
      ],
    ])("%s", (_, messages, part, expected) => {
      const bench = new MessageBench(messages, { format: "anthropic-messages" });
      const checked = bench.cut(dropPlan(part));
      if (typeof expected === "string")
        expect(checked).toMatchObject({ ok: false, issue: { message: expect.stringContaining(expected) } });
      else
        expect(checked).toMatchObject({
          ok: true,
          value: { parts: expected.map((i) => bench.transcript.key(i)) },
        });
    });

    test("text beside calls can be dropped after the calls, and an undo restores both", () => {
      const messages = [text("user", "a"), answer(says, use("a")), result("a"), text("user", "b")];
      const bench = new MessageBench(messages, { format: "anthropic-messages" });
      expect(bench.cut(dropPlan(2)).ok).toBe(true);
      expect(bench.cut(dropPlan(1)).ok).toBe(true);
      expect(bench.rewrite().messages).toEqual([messages[0], messages[3]]);
      for (const { id } of bench.ledger.active())
        bench.view.refresh(
          bench.ledger.record({ type: "undo", target: id, author: "test", reason: "", saved: 0 }, 0),
        );
      expect(bench.rewrite().messages).toEqual(messages);
    });

    test("a drop saves only the text that is still shown", () => {
      const bench = new MessageBench([text("user", "a"), answer(use("a")), result("a"), text("user", "b")]);
      bench.cut(replace(2, "output"));
      const before = bench.view.total;
      const cut = bench.cut(dropPlan(1));
      expect(cut.ok && cut.value.saved).toBe(before - bench.view.total);
    });
  });

  test("a dropped part can't be replaced, and a part that an edit refers to can't be dropped", () => {
    const context = makeContext();
    const needy = guard(replace(16, "output", { needs: [context.transcript.key(5)] }), context);
    if (!needy.ok) throw new Error(needy.issue.message);
    context.ledger.record(needy.value, 0);
    expect(guard(dropPlan(3), context)).toMatchObject({
      ok: false,
      issue: { message: expect.stringContaining("refers to it") },
    });
    context.ledger.record({ type: "undo", target: needy.value.id, author: "test", reason: "", saved: 0 }, 0);
    const dropped = guard(dropPlan(3), context);
    if (!dropped.ok) throw new Error(dropped.issue.message);
    context.ledger.record(dropped.value, 0);
    expect(guard(replace(5, "output"), context)).toMatchObject({
      ok: false,
      issue: { message: expect.stringContaining("dropped") },
    });
  });
});

test("lone surrogates are not characters that can be split", () => {
  const text = (body: string) => [
    { role: "user", content: body },
    { role: "user", content: "on" },
  ];
  const cut = (body: string, to: number) =>
    new MessageBench(text(body)).cut({ ...replace(0, "text", { to, text: "" }), part: 0 }).ok;
  const at = LONG.length;
  for (const [before, after] of [
    ["x", "\udc00"],
    ["\ud800", "x"],
    ["\udc00", "\udc00"],
    ["\ud800", "\ud800"],
    ["\ue000", "\udfff"],
    ["\udbff", "\ue000"],
  ])
    expect(cut(`${LONG}${before}${after}y`, at + 1), JSON.stringify([before, after])).toBe(true);
  for (const pair of ["\ud800\udc00", "\udbff\udfff"]) expect(cut(`${LONG}${pair}y`, at + 1)).toBe(false);
});

test("an edit knows its original by length and hash, wherever it begins", () => {
  const [start, middle] = [0, 60].map((from) => {
    const checked = guard(replace(5, "output", { from, to: from + 150 }), makeContext());
    return checked.ok && checked.value.type === "replace" ? checked.value : undefined;
  });
  expect([start?.original.length, middle?.original.length]).toEqual([150, 150]);
  expect(start?.original.hash).toBe(hashText(`${LONG}`.slice(0, 150)));
  expect(middle?.original.hash).toBe(hashText(`${LONG}`.slice(60, 210)));
});

describe("many spans of one leaf", () => {
  const spans = (plans: Parameters<typeof guardSpans>[0]) =>
    guardSpans(plans, makeContext()).map((checked) =>
      checked.ok ? "ok" : checked.issue.message.split(": ").at(-1),
    );

  test("each in its own part and leaf, and not before the previous one", () => {
    expect(
      spans([
        replace(5, "output", { from: 0, to: 100 }),
        replace(5, "output", { from: 50, to: 200 }),
        replace(5, "output", { from: 100, to: 200 }),
      ]),
    ).toEqual(["ok", "it overlaps the one before it", "ok"]);
    expect(spans([replace(5, "no such leaf"), replace(99, "output"), replace(5, "output")])).toEqual([
      "it has no leaf no such leaf",
      "there is no such part",
      "ok",
    ]);
  });
});

test("every drop has its own ref, which names its part", () => {
  const context = makeContext();
  const refs = [dropPlan(3), dropPlan(7), dropPlan(2)].map((plan) => {
    const checked = guard(plan, context);
    return checked.ok ? checked.value.ref : undefined;
  });
  expect(new Set(refs).size).toBe(3);
  const parts = refs.map((ref) => ref && context.refs.placeOf(ref)?.part);
  expect(parts).toEqual([3, 7, 2].map((index) => context.transcript.key(index)));
});
