import { describe, expect, test } from "vitest";
import { formatByName } from "../../../src/formats/detect.ts";
import { decodeMessage, decodeMessages, opensTurn } from "../../../src/formats/intake/decode.ts";
import { keepMessage } from "../../../src/formats/intake/recognise.ts";
import type { DecodedMessage } from "../../../src/transcript/message.ts";
import { type Part, prunableKind } from "../../../src/transcript/part.ts";

const part = (kind: Part["kind"], more: object = {}): Part =>
  ({ kind, slot: "0", role: "user", leaves: [], ...more }) as unknown as Part;

test("consecutive items of one response open one step; an input between them opens the next", () => {
  const call = (call_id: string) => ({ type: "function_call", call_id, name: "bash", arguments: "{}" });
  const output = (call_id: string) => ({ type: "function_call_output", call_id, output: "ok" });
  const reasoning = { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }] };
  const items = [
    { role: "user", content: "go" },
    ...[reasoning, call("a"), call("b")],
    ...[output("a"), output("b")],
    ...[call("c"), output("c")],
  ];
  const decoded = decodeMessages(formatByName("openai-responses"), items);
  const opening = decoded.flatMap(({ parts }, i) => (parts.some(({ opensStep }) => opensStep) ? [i] : []));
  expect(opening).toEqual([1, 6]);
  expect(decoded.map(({ parts }) => parts.length)).toEqual(items.map(() => 1));
  expect(decodeMessages(formatByName("openai-responses"), items.slice(1))[0]?.parts[0]?.opensStep).toBe(true);
});

test("parts that a host regenerates at every request are left out, and its other data is added", () => {
  const said = { type: "text", text: "do it" };
  const reminder = { type: "text", synthetic: true, text: "<system-reminder>plan</system-reminder>" };
  const message = (...parts: readonly object[]) => ({
    info: { role: "user", id: "m", time: { created: 1 } },
    parts,
  });
  const format = formatByName("opencode");
  const plain = decodeMessage(format, message(said), undefined);
  expect(plain).toMatchObject({ role: "user", time: 1, parts: [{ kind: "text" }] });
  expect(decodeMessage(format, message(reminder, said), undefined).parts.map(({ slot }) => slot)).toEqual([
    "1",
  ]);
  expect(decodeMessage(format, message(reminder), undefined).parts).toEqual([]);
  expect(decodeMessage(format, message(said), { time: 7 })).toEqual({ ...plain, time: 7 });
  expect(decodeMessage(format, message(said, reminder), { time: 7 })).toEqual({ ...plain, time: 7 });
});

test("a kept message is a copy, whatever the host does with its objects", () => {
  const input = { paths: ["a.ts"] };
  const value = { code: 0 };
  const raw = { type: "mystery", data: { level: 1 } };
  const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 };
  const parts = [
    part("call", { input }),
    part("result", { value }),
    part("opaque", { raw }),
    part("opaque", { raw: "a text" }),
  ];
  const kept = keepMessage({ role: "assistant", parts, usage } as unknown as DecodedMessage);
  const before = structuredClone(kept);
  input.paths.push("b.ts");
  value.code = 1;
  raw.data.level = 2;
  usage.input = 2;
  expect(kept).toEqual(before);
});

describe("a known message comes back as the very same object", () => {
  const format = formatByName("opencode");
  /** The format looks at responses, which are most of a history. */
  const message = (id: string, text: string) => ({
    info: { role: "assistant", id },
    parts: [{ type: "text", text }],
  });
  const messages = [message("a", "I look"), message("b", "done")];
  const meta = [{ time: 1 }, { time: 2 }];
  const known = decodeMessages(format, messages, meta);
  const isSame = (hostMessage: readonly unknown[], of: readonly object[] = meta) =>
    decodeMessages(format, hostMessage, of, known).map((message, i) => message === known[i]);

  test("but not if the text, or data on it, differs", () => {
    expect(isSame(structuredClone(messages))).toEqual([true, true]);
    expect(isSame([message("a", "no"), messages[1]])).toEqual([false, true]);
    expect(isSame(messages, [{ time: 1 }, { time: 3 }])).toEqual([true, false]);
    expect(isSame(messages, [])).toEqual([false, false]);
    expect(isSame([messages[1], messages[0]])).toEqual([false, false]);
  });
});

test.each<[string, Pick<DecodedMessage, "role" | "parts">, boolean]>([
  ["a person's words", { role: "user", parts: [part("text")] }, true],
  ["a person's picture", { role: "user", parts: [part("file")] }, true],
  ["results", { role: "user", parts: [part("result")] }, false],
  ["results and words", { role: "user", parts: [part("result"), part("text")] }, false],
  ["nothing", { role: "user", parts: [] }, false],
  ["the agent's words", { role: "assistant", parts: [part("text")] }, false],
  ["a tool's", { role: "tool", parts: [part("result")] }, false],
])("opens a turn: %s", (_, message, expected) => {
  expect(opensTurn(message)).toBe(expected);
});

test.each<[string, Part, ReturnType<typeof prunableKind>]>([
  ["a result", part("result", { status: "ok" }), "tool"],
  ["one that failed", part("result", { status: "error" }), "tool"],
  ["one that is not there yet", part("result", { status: "pending" }), undefined],
  ["one that the host has cleared", part("result", { status: "cleared" }), undefined],
  ["the agent's words", part("text", { role: "assistant" }), "message"],
  ["a person's", part("text"), undefined],
  ["reasoning", part("reasoning", { role: "assistant" }), "reasoning"],
  ["a call", part("call", { role: "assistant" }), undefined],
  ["a file", part("file"), undefined],
])("the parts that an agent may name: %s", (_, hostMessage, expected) => {
  expect(prunableKind(hostMessage)).toBe(expected);
});
