import { describe, expect, test } from "vitest";
import { guard } from "../../src/edits/guard.ts";
import { Ledger } from "../../src/edits/ledger.ts";
import { View } from "../../src/edits/view.ts";
import type { ReasoningRule } from "../../src/models/profile.ts";
import type { Part } from "../../src/transcript/part.ts";
import { Refs } from "../../src/transcript/refs.ts";
import { Transcript } from "../../src/transcript/transcript.ts";
import { dropPlan } from "../plans.ts";

const LONG = "a line of output that is long enough to be worth a cut\n".repeat(6);

type Message = readonly Partial<Part>[];
const leaves = [{ id: "text", text: LONG }];
const said = (more: object = {}) => ({ kind: "text", ...more }) as Partial<Part>;
const user: Message = [{ kind: "text", role: "user" }];
const think = (more: object = {}) => ({ kind: "reasoning", signed: false, ...more }) as Partial<Part>;
const unknown = (more: object = {}) => ({ kind: "opaque", raw: { type: "new" }, ...more }) as Partial<Part>;
const call = (callId: string, more: object = {}) =>
  ({ kind: "call", callId, tool: "bash", input: {}, ...more }) as Partial<Part>;
const result = (callId: string, more: object = {}) =>
  ({ kind: "result", callId, role: "tool", status: "ok", ...more }) as Partial<Part>;
/** A response opens a step. */
const response = (...parts: Message): Message =>
  parts.map((part, i) => (i === 0 ? { ...part, opensStep: true } : part));
const unit = { unit: true };
const signed = { signed: true };

/** The indexes of the parts that are dropped with this part, or the refusal. */
function drop(
  messages: readonly Message[],
  part: number,
  reasoning: ReasoningRule = "none",
  { userAfterResult = true, callAfterResponse = true } = {},
) {
  const transcript = new Transcript();
  for (const [i, parts] of messages.entries()) {
    const whole = parts.map((each) => ({ slot: "0", role: "assistant", leaves, ...each }) as Part);
    transcript.append(whole, i, parts === user);
  }
  const refs = new Refs(transcript.undoLog);
  const ledger = new Ledger(transcript.undoLog);
  const view = new View(transcript, ledger);
  view.extend(() => undefined);
  const context = {
    transcript,
    ledger,
    view,
    refs,
    reasoning,
    userAfterResult,
    callAfterResponse,
    showsRefs: true,
    protectedFrom: () => undefined,
  };
  const checked = guard(dropPlan(part), undefined, context);
  if (!checked.ok) return checked.issue.message.split(": ").at(-1);
  return checked.value.type === "drop" ? checked.value.parts.map((key) => transcript.find(key)) : undefined;
}

type Case = [string, readonly Message[], number, string | readonly number[], ReasoningRule?];

describe("a unit is dropped whole or not at all", () => {
  test.each<Case>([
    [
      "with reasoning: the text of that step too",
      [user, response(think(unit), said(unit), call("a")), [result("a")], user],
      3,
      [1, 2, 3, 4],
    ],
    [
      "but not text outside a unit",
      [user, response(think(unit), said(), call("a")), [result("a")], user],
      3,
      [1, 3, 4],
    ],
    [
      "nor text that nothing binds",
      [user, response(think(), said(unit), call("a")), [result("a")], user],
      3,
      [1, 3, 4],
    ],
    [
      "nor text that another step binds",
      [user, response(think(unit), said()), response(said(unit), call("a")), [result("a")], user],
      4,
      [4, 5],
    ],
    [
      "with something unknown: nothing of it",
      [user, response(unknown(unit), call("a", unit)), [result("a")], user],
      2,
      "it forms a unit with an unknown part",
    ],
    ["a free unknown part stays", [user, response(unknown(), call("a")), [result("a")], user], 2, [2, 3]],
    [
      "reasoning is not dropped alone",
      [user, response(think(unit), said(unit)), user],
      1,
      "the provider requires it together with the part after it",
    ],
    [
      "reasoning is dropped with the whole response, in any number of messages",
      [user, response(think(unit)), [said(unit)], [said()], user],
      2,
      [1, 2, 3],
    ],
    ["without a unit, only with its message", [user, response(think()), [said()], [said()], user], 2, [2]],
    [
      "a person's text after it does not belong to it",
      [user, response(think(unit), said(unit)), user, response(said()), user],
      3,
      [3],
    ],
  ])("%s", (_, messages, part, expected) => {
    expect(drop(messages, part)).toEqual(expected);
  });
});

describe("a group is dropped if all of it may be", () => {
  test.each<Case>([
    [
      "a call without a result",
      [user, response(call("a"), call("b")), [result("a")], user],
      1,
      "a call of that step has no result yet",
    ],
    [
      "a call whose result has not arrived yet",
      [user, response(call("a")), [result("a", { status: "pending" })], user],
      1,
      "a call of that step has no result yet",
    ],
    [
      "a result that answers none of its calls does not belong to it",
      [user, response(call("a")), [result("a"), result("z")], user],
      1,
      [1, 2],
    ],
    ["a signed call is not signed reasoning", [user, response(call("a", signed)), [result("a")]], 1, [1, 2]],
    [
      "nor is a signed call of an older response, if the newest is dropped",
      [user, response(call("a", signed)), [result("a")], response(said()), user],
      3,
      [3],
    ],
    [
      "nor a signed call after the dropped parts",
      [user, response(said()), user, response(call("a", signed)), [result("a")], user],
      2,
      [2],
    ],
  ])("%s", (_, messages, part, expected) => {
    expect(drop(messages, part)).toEqual(expected);
  });
});

describe("reasoning that a provider requires beside calls", () => {
  test.each<Case>([
    [
      "stays beside them",
      [user, response(think(), call("a")), [result("a")], user],
      1,
      "the provider requires this field beside calls",
      "field",
    ],
    [
      "is dropped if its own step has no calls",
      [user, response(think(), said()), user, response(call("a")), [result("a")], user],
      1,
      [1],
      "field",
    ],
    [
      "is dropped if nothing requires it",
      [user, response(think(), call("a")), [result("a")], user],
      1,
      [1],
      "signed",
    ],
  ])("%s", (_, messages, part, expected, rule) => {
    expect(drop(messages, part, rule)).toEqual(expected);
  });
});

describe("the text of a message", () => {
  test.each<Case>([
    ["system text", [[{ kind: "text", role: "system" }], user], 0, "system text is not dropped"],
    ["a developer's text", [[{ kind: "text", role: "developer" }], user], 0, "system text is not dropped"],
    ["a person's newest text", [user, response(said())], 0, "the newest user message is not dropped"],
    ["the agent's text of the same turn", [user, response(said()), [said()]], 1, [1]],
    [
      "the agent's text right before a signed response",
      [user, response(said()), response(think(signed), call("a")), [result("a")], user],
      1,
      [1],
    ],
    [
      "a result between them, whatever its role",
      [
        ...[user, response(said()), [result("z", { role: "assistant" })]],
        ...[response(think(signed), call("a")), [result("a")], user],
      ],
      2,
      "the newest reasoning must come first in its turn",
    ],
    [
      "a person's text, if a note still separates them",
      [user, response(said()), user, [said()], response(think(signed), call("a")), [result("a")], user],
      2,
      [2],
    ],
  ])("%s", (_, messages, part, expected) => {
    expect(drop(messages, part)).toEqual(expected);
  });

  test("a part without text saves nothing", () => {
    const marker = [{ kind: "marker", name: "step-start", leaves: [] } as Partial<Part>];
    expect(drop([user, response(said()), marker, user], 2)).toBe("it would not get smaller");
  });
});

describe("if calls must follow an input", () => {
  const follows = { followsInput: true } as const;
  const prompt: Message = [{ kind: "text", role: "user" }];
  test.each<[string, readonly Message[], number, string | readonly number[]]>([
    [
      "a step's text is dropped with its calls, because it would come right before the next calls",
      [user, response(said(), call("a")), [result("a")], response(call("b")), [result("b")], user],
      2,
      [1, 2, 3],
    ],
    [
      "an unknown part too",
      [user, response(unknown(), call("a")), [result("a")], response(call("b")), [result("b")], user],
      2,
      [1, 2, 3],
    ],
    [
      "it stays if a prompt follows",
      [user, response(said(), call("a")), [result("a")], prompt, response(call("b")), [result("b")], user],
      2,
      [2, 3],
    ],
    [
      "a prompt between a response and calls stays",
      [user, response(said()), prompt, response(call("b")), [result("b")], user],
      2,
      "the calls after it must follow an input",
    ],
    [
      "a prompt without calls after it is dropped",
      [user, response(said()), prompt, response(said()), user],
      2,
      [2],
    ],
  ])("%s", (_, messages, part, expected) => {
    expect(drop(messages, part, "none", { callAfterResponse: false })).toEqual(expected);
    const flagged = messages.map((message) =>
      message.map((each) => (each.kind === "call" ? { ...each, ...follows } : each)),
    );
    const sameUsers = flagged.map((message, i) => (messages[i] === user ? user : message));
    expect(drop(sameUsers, part)).toEqual(expected);
  });
});

describe("if a user message must not follow a result", () => {
  const before = [user, response(call("a")), [result("a")]];
  test.each<[string, readonly Message[], number, string | readonly number[]]>([
    [
      "the response between them stays",
      [...before, response(said()), user],
      3,
      "it separates a result from the user's next message",
    ],
    ["a response after a prompt is dropped", [user, response(said()), user], 1, [1]],
    ["calls are dropped, because the response remains", [...before, response(said()), user], 1, [1, 2]],
  ])("%s", (_, messages, part, expected) => {
    expect(drop(messages, part, "none", { userAfterResult: false })).toEqual(expected);
  });
});
