import { describe, expect, test } from "vitest";
import type { DecodedMessage } from "../../src/transcript/message.ts";
import type { Part } from "../../src/transcript/part.ts";
import { sameMessage } from "../../src/transcript/same-part.ts";
import { sameValue } from "../../src/transcript/same-value.ts";

const base = { slot: "0", role: "assistant", leaves: [{ id: "text", text: "some text" }] } as const;
const parts = {
  text: { ...base, kind: "text" },
  reasoning: { ...base, kind: "reasoning", signed: false },
  call: { ...base, kind: "call", callId: "a", tool: "read", input: { path: "a.ts", deep: [{ n: 1 }] } },
  unread: { ...base, kind: "call", callId: "a", tool: "read", input: undefined },
  result: { ...base, kind: "result", callId: "a", status: "ok" },
  file: { ...base, kind: "file", media: { mime: "image/png", bytes: 900 } },
  marker: { ...base, kind: "marker", name: "step-start" },
  opaque: { ...base, kind: "opaque", raw: { type: "new", data: [1, 2] } },
} satisfies Record<string, Part>;

const message = (part: Part, more: Partial<DecodedMessage> = {}): DecodedMessage => ({
  role: "assistant",
  parts: [parts.text, part],
  ...more,
});
const isSame = (a: DecodedMessage, b: DecodedMessage) => {
  expect(sameMessage(a, b)).toBe(sameMessage(b, a));
  return sameMessage(a, b);
};

test.each(Object.entries(parts))("the same %s decoded again is recognised", (_, part) => {
  expect(isSame(message(part), structuredClone(message(part)))).toBe(true);
  const moved = { ...structuredClone(part), slot: "7" };
  expect(isSame(message(part), message(moved)), "in another slot").toBe(true);
});

/** Every property that a cut may depend on distinguishes two parts. */
test.each<[keyof typeof parts, string, object]>([
  ["text", "its text", { leaves: [{ id: "text", text: "another text" }] }],
  ["text", "its leaf", { leaves: [{ id: "title", text: "some text" }] }],
  ["text", "one leaf less", { leaves: [] }],
  ["text", "one leaf more", { leaves: [...base.leaves, { id: "more", text: "" }] }],
  ["text", "who speaks", { role: "user" }],
  ["text", "a step that it opens", { opensStep: true }],
  ["text", "a unit that it belongs to", { unit: true }],
  ["text", "who wrote it", { synthetic: true }],
  ["text", "its kind", { kind: "reasoning", signed: false }],
  ["reasoning", "its signature", { signed: true }],
  ["reasoning", "its text", { leaves: [{ id: "text", text: "another" }] }],
  ["call", "its id", { callId: "b" }],
  ["call", "its tool", { tool: "write" }],
  ["call", "its input", { input: { path: "b.ts", deep: [{ n: 1 }] } }],
  ["call", "its input, deep down", { input: { path: "a.ts", deep: [{ n: 2 }] } }],
  ["call", "its signature", { signed: true }],
  ["call", "who ran it", { server: true }],
  ["unread", "its arguments", { leaves: [{ id: "text", text: "another" }] }],
  ["result", "its id", { callId: "b" }],
  ["result", "how it ended", { status: "error" }],
  ["result", "its exit code", { exitCode: 1 }],
  ["result", "its text", { leaves: [{ id: "text", text: "another" }] }],
  ["result", "what the host has cleared", { clearedText: { id: "text", text: "cleared" } }],
  ["result", "its images", { media: [{ mime: "image/png" }] }],
  ["result", "its value", { value: { n: 1 } }],
  ["file", "its data", { leaves: [{ id: "text", text: "another" }] }],
  ["file", "its type", { media: { mime: "application/pdf", bytes: 900 } }],
  ["marker", "its name", { name: "step-finish" }],
  ["marker", "a command", { command: { action: "off" } }],
  ["opaque", "what it is", { raw: { type: "new", data: [1, 3] } }],
])("a %s differs by %s", (kind, _, change) => {
  expect(isSame(message(parts[kind]), message({ ...parts[kind], ...change } as Part))).toBe(false);
});

describe("messages", () => {
  const usage = { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 };
  const known = message(parts.call, { time: 5, model: "m", usage });
  test.each<[string, Partial<DecodedMessage>, boolean]>([
    ["nothing", {}, true],
    ["figures of their own", { usage: { ...usage } }, true],
    ["a host's own id", { id: "msg_2" }, true],
    ["role", { role: "user" }, false],
    ["time", { time: 6 }, false],
    ["model", { model: "n" }, false],
    ["an epoch", { isCompaction: true }, false],
    ["no usage", { usage: undefined }, false],
    ["input", { usage: { ...usage, input: 9 } }, false],
    ["cache reads", { usage: { ...usage, cacheRead: 9 } }, false],
    ["cache writes", { usage: { ...usage, cacheWrite: 9 } }, false],
    ["output", { usage: { ...usage, output: 9 } }, false],
    ["fewer parts", { parts: [parts.text] }, false],
    ["more parts", { parts: [parts.text, parts.call, parts.text] }, false],
    ["parts in another order", { parts: [parts.call, parts.text] }, false],
  ])("differ by %s", (_, change, expected) => {
    expect(isSame(known, { ...known, ...change })).toBe(expected);
  });

  test("a missing one is never the same", () => {
    expect(sameMessage(undefined, undefined)).toBe(false);
    expect(sameMessage(known, undefined)).toBe(false);
    expect(sameMessage(undefined, known)).toBe(false);
    expect(sameMessage(known, known)).toBe(true);
  });
});

test.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, false],
  [{ a: undefined }, { b: undefined }, false],
  [[1, [2]], [1, [2]], true],
  [[], {}, false],
  [{ 0: 1 }, [1], false],
  [null, {}, false],
  [{}, null, false],
  [1, "1", false],
  ["a", ["a"], false],
  [new Date(5), new Date(5), true],
  [new Date(5), new Date(6), false],
  [new Date(5), {}, false],
  [new Date(Number.NaN), new Date(Number.NaN), true],
  [new Map([[1, 2]]), new Map([[1, 3]]), false],
  [new Map(), {}, false],
  [new Uint8Array([1]), new Uint8Array([1]), true],
  [new Uint8Array([1]), new Uint8Array([2]), false],
])("the values %j and %j are the same: %s", (a, b, expected) => {
  expect(sameValue(a, b)).toBe(expected);
  expect(sameValue(b, a)).toBe(expected);
});

test("cyclic values are compared completely", () => {
  const endless = (name: string) => {
    const value: Record<string, unknown> = { inner: { name } };
    value.self = value;
    return value;
  };
  const one = endless("a");
  expect(sameValue(one, one)).toBe(true);
  expect(sameValue(one, endless("a"))).toBe(true);
  expect(sameValue(one, endless("b"))).toBe(false);
});
