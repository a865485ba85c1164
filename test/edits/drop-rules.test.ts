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

/** What would leave with this part, by index, or why it may not. */
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

describe("what makes one unit leaves together or not at all", () => {
  test.each<Case>([
    [
      "with reasoning: the text of that step too",
      [user, response(think(unit), said(unit), call("a")), [result("a")], user],
      3,
      [1, 2, 3, 4],
    ],
    [
      "but not text that is of no unit",
      [user, response(think(unit), said(), call("a")), [result("a")], user],
      3,
      [1, 3, 4],
    ],
    [
      "nor one where nothing binds it",
      [user, response(think(), said(unit), call("a")), [result("a")], user],
      3,
      [1, 3, 4],
    ],
    [
      "nor what another step binds",
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
    [
      "what is unknown and free stays where it is",
      [user, response(unknown(), call("a")), [result("a")], user],
      2,
      [2, 3],
    ],
    [
      "reasoning does not leave alone",
      [user, response(think(unit), said(unit)), user],
      1,
      "the provider requires it together with the part after it",
    ],
    [
      "it leaves with all that its response says, in however many messages",
      [user, response(think(unit)), [said(unit)], [said()], user],
      2,
      [1, 2, 3],
    ],
    ["without a unit only with its message", [user, response(think()), [said()], [said()], user], 2, [2]],
    [
      "what a person says behind it is not of it",
      [user, response(think(unit), said(unit)), user, response(said()), user],
      3,
      [3],
    ],
  ])("%s", (_, messages, part, expected) => {
    expect(drop(messages, part)).toEqual(expected);
  });
});

describe("a group is dropped when all of it may be", () => {
  test.each<Case>([
    [
      "a call without a result",
      [user, response(call("a"), call("b")), [result("a")], user],
      1,
      "a call of that step has no result yet",
    ],
    [
      "one whose result is not there yet",
      [user, response(call("a")), [result("a", { status: "pending" })], user],
      1,
      "a call of that step has no result yet",
    ],
    [
      "a result that answers none of its calls is no member",
      [user, response(call("a")), [result("a"), result("z")], user],
      1,
      [1, 2],
    ],
    ["a signed call is no signed reasoning", [user, response(call("a", signed)), [result("a")]], 1, [1, 2]],
    [
      "nor is one of an older response, when the newest goes",
      [user, response(call("a", signed)), [result("a")], response(said()), user],
      3,
      [3],
    ],
    [
      "nor one behind what is dropped",
      [user, response(said()), user, response(call("a", signed)), [result("a")], user],
      2,
      [2],
    ],
  ])("%s", (_, messages, part, expected) => {
    expect(drop(messages, part)).toEqual(expected);
  });
});

describe("reasoning that a provider wants beside calls", () => {
  test.each<Case>([
    [
      "stays beside them",
      [user, response(think(), call("a")), [result("a")], user],
      1,
      "the provider requires this field beside calls",
      "field",
    ],
    [
      "leaves where its own step has none",
      [user, response(think(), said()), user, response(call("a")), [result("a")], user],
      1,
      [1],
      "field",
    ],
    [
      "leaves where nobody asks for it",
      [user, response(think(), call("a")), [result("a")], user],
      1,
      [1],
      "signed",
    ],
  ])("%s", (_, messages, part, expected, rule) => {
    expect(drop(messages, part, rule)).toEqual(expected);
  });
});

describe("what is said", () => {
  test.each<Case>([
    ["system text", [[{ kind: "text", role: "system" }], user], 0, "system text is not dropped"],
    ["a developer's", [[{ kind: "text", role: "developer" }], user], 0, "system text is not dropped"],
    ["a person's newest words", [user, response(said())], 0, "the newest user message is not dropped"],
    ["the agent's of the same turn", [user, response(said()), [said()]], 1, [1]],
    [
      "the agent's, right before a signed response",
      [user, response(said()), response(think(signed), call("a")), [result("a")], user],
      1,
      [1],
    ],
    [
      "a result that parts them, whoever it is said to be of",
      [
        ...[user, response(said()), [result("z", { role: "assistant" })]],
        ...[response(think(signed), call("a")), [result("a")], user],
      ],
      2,
      "the newest reasoning must come first in its turn",
    ],
    [
      "a person's words that do not part them: a note stands between",
      [user, response(said()), user, [said()], response(think(signed), call("a")), [result("a")], user],
      2,
      [2],
    ],
  ])("%s", (_, messages, part, expected) => {
    expect(drop(messages, part)).toEqual(expected);
  });

  test("what shows nothing saves nothing", () => {
    const marker = [{ kind: "marker", name: "step-start", leaves: [] } as Partial<Part>];
    expect(drop([user, response(said()), marker, user], 2)).toBe("it would not get smaller");
  });
});

describe("where calls have to follow an input", () => {
  const follows = { followsInput: true } as const;
  const prompt: Message = [{ kind: "text", role: "user" }];
  test.each<[string, readonly Message[], number, string | readonly number[]]>([
    [
      "what a step says leaves with its calls, as it would stand right before the next ones",
      [user, response(said(), call("a")), [result("a")], response(call("b")), [result("b")], user],
      2,
      [1, 2, 3],
    ],
    [
      "what is unknown too",
      [user, response(unknown(), call("a")), [result("a")], response(call("b")), [result("b")], user],
      2,
      [1, 2, 3],
    ],
    [
      "it stays where a prompt follows",
      [user, response(said(), call("a")), [result("a")], prompt, response(call("b")), [result("b")], user],
      2,
      [2, 3],
    ],
    [
      "a prompt between an answer and calls stays",
      [user, response(said()), prompt, response(call("b")), [result("b")], user],
      2,
      "the calls after it must follow an input",
    ],
    ["one with no calls behind it goes", [user, response(said()), prompt, response(said()), user], 2, [2]],
  ])("%s", (_, messages, part, expected) => {
    expect(drop(messages, part, "none", { callAfterResponse: false })).toEqual(expected);
    const flagged = messages.map((message) =>
      message.map((each) => (each.kind === "call" ? { ...each, ...follows } : each)),
    );
    const sameUsers = flagged.map((message, i) => (messages[i] === user ? user : message));
    expect(drop(sameUsers, part)).toEqual(expected);
  });
});

describe("where the user may not follow a result", () => {
  const before = [user, response(call("a")), [result("a")]];
  test.each<[string, readonly Message[], number, string | readonly number[]]>([
    [
      "the answer between them stays",
      [...before, response(said()), user],
      3,
      "it separates a result from the user's next message",
    ],
    ["one behind a prompt goes", [user, response(said()), user], 1, [1]],
    ["calls go, as the answer is left", [...before, response(said()), user], 1, [1, 2]],
  ])("%s", (_, messages, part, expected) => {
    expect(drop(messages, part, "none", { userAfterResult: false })).toEqual(expected);
  });
});
