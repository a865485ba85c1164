import { describe, expect, test } from "vitest";
import { requestEnds } from "../../src/formats/intake/request-ends.ts";
import { estimateMedia, estimateTokens } from "../../src/transcript/estimate.ts";
import { kindOfKey } from "../../src/transcript/keys.ts";
import type { DecodedMessage } from "../../src/transcript/message.ts";
import type { Part, PartKey } from "../../src/transcript/part.ts";
import { countPart, Transcript } from "../../src/transcript/transcript.ts";
import { textOf } from "../conversation.ts";

const part = (kind: Part["kind"], more: object = {}): Part =>
  ({ kind, slot: "0", role: "assistant", leaves: [], ...more }) as unknown as Part;
const text = (body: string, more: object = {}) =>
  part("text", { leaves: [{ id: "text", text: body }], ...more });
const call = (callId: string, more: object = {}) =>
  part("call", { callId, tool: "read", input: {}, ...more });
const opens = { opensStep: true };

/** Two turns: prompt | text and call | result | call | prompt | text */
function makeTranscript(): Transcript {
  const transcript = new Transcript();
  const user = { role: "user" };
  transcript.append([text("go", user)], 0, true);
  transcript.append([text("I look", opens), call("a")], 1, false);
  transcript.append([part("result", { callId: "a", status: "ok", role: "tool" })], 2, false);
  transcript.append([call("b", opens)], 3, false);
  transcript.append([text("on", user)], 4, true);
  transcript.append([text("done", opens)], 5, false);
  return transcript;
}

describe("a transcript", () => {
  test("knows of every part its message, step and turn", () => {
    const { message, step, turn, lastStep, lastTurn, length } = makeTranscript();
    expect({ message, step, turn }).toEqual({
      message: [0, 1, 1, 2, 3, 4, 5],
      step: [0, 1, 1, 1, 2, 2, 3],
      turn: [1, 1, 1, 1, 1, 2, 2],
    });
    expect({ lastStep, lastTurn, length }).toEqual({ lastStep: 3, lastTurn: 2, length: 7 });
  });

  test("finds parts by key, steps by number, and reports missing ones", () => {
    const transcript = makeTranscript();
    for (let i = 0; i < transcript.length; i++) expect(transcript.find(transcript.key(i))).toBe(i);
    expect(transcript.find("call:zzz#1" as PartKey)).toBeUndefined();
    expect([0, 1, 2, 3, 4].map((step) => transcript.stepRange(step))).toEqual([
      [0, 1],
      [1, 4],
      [4, 6],
      [6, 7],
      [7, 7],
    ]);
    expect(transcript.part(2)).toMatchObject({ callId: "a" });
    for (const index of [-1, 7]) {
      expect(() => transcript.part(index)).toThrow(RangeError);
      expect(() => transcript.key(index)).toThrow(RangeError);
    }
  });

  test("changes after every change, and after a rollback", () => {
    const transcript = makeTranscript();
    const versions = new Set([transcript.version]);
    const look = () => {
      const { parts, keys, message, step, turn, tokens, stepStart, turnStart } = transcript;
      return structuredClone({ parts, keys, message, step, turn, tokens, stepStart, turnStart });
    };
    const before = look();
    const mark = transcript.undoLog.mark();
    transcript.append([text("more", opens)], 6, true);
    versions.add(transcript.version);
    transcript.rollback(mark);
    versions.add(transcript.version);
    expect(versions.size).toBe(3);
    expect(look()).toEqual(before);
    expect(transcript.find("call:a#1" as PartKey)).toBe(2);
  });
});

describe("keys", () => {
  const keysOf = (...parts: readonly Part[]) => {
    const transcript = new Transcript();
    transcript.append(parts, 0, false);
    return transcript.keys;
  };
  const image = (data: string) =>
    part("file", { leaves: [{ id: "data", text: data }], media: { mime: "image/png" } });

  test("another text in a message with calls is noticed", () => {
    const [said, reminded] = keysOf(text("I look"), text("a note", { role: "user" }), call("a"));
    expect(said).toBe("text:in:call:a#1#1");
    expect(reminded).toBe(keysOf(text("a note", { role: "user" }))[0]);
  });

  test.each<[string, Part, Part]>([
    ["texts", text("one"), text("another")],
    ["roles", text("one"), text("one", { role: "user" })],
    ["markers", part("marker", { name: "step-start" }), part("marker", { name: "step-finish" })],
    ["a long text by its length", image("x".repeat(100_001)), image("x".repeat(100_002))],
    ["by its start", image(`a${"x".repeat(200_000)}`), image(`b${"x".repeat(200_000)}`)],
    ["by its end", image(`${"x".repeat(200_000)}a`), image(`${"x".repeat(200_000)}b`)],
    [
      "a text of 100,000 characters by all of them",
      image(`${"x".repeat(50_000)}a${"x".repeat(49_999)}`),
      image(`${"x".repeat(50_000)}b${"x".repeat(49_999)}`),
    ],
  ])("tell apart: %s", (_, a, b) => {
    expect(keysOf(a)).not.toEqual(keysOf(b));
    expect(keysOf(structuredClone(a))).toEqual(keysOf(a));
  });

  test("say of what kind the part is", () => {
    const parts = [text("one"), call("a"), part("result", { callId: "a", status: "ok" }), image("x")];
    expect(keysOf(...parts).map(kindOfKey)).toEqual(["text", "call", "result", "file"]);
  });
});

describe("what a part costs", () => {
  const body = textOf(200);
  const tokens = estimateTokens(body);
  const leaves = [{ id: "a", text: body }];
  const twice = [...leaves, { id: "b", text: body }];
  /** The wire adds some to every part, except those that are not sent. */
  const overhead = countPart(text(""));
  test.each<[string, Part, number]>([
    ["a text", part("text", { leaves }), overhead + tokens],
    ["two", part("text", { leaves: twice }), overhead + 2 * tokens],
    ["reasoning", part("reasoning", { leaves, signed: false }), overhead + tokens],
    ["a marker", part("marker", { name: "x", leaves }), tokens],
    ["a marker without text", part("marker", { name: "x" }), 0],
    ["a result", part("result", { callId: "a", status: "ok", leaves: twice }), overhead + 2 * tokens],
    [
      "with images",
      part("result", {
        callId: "a",
        status: "ok",
        leaves,
        media: [{ mime: "image/png" }, { mime: "image/png" }],
      }),
      overhead + tokens + 2 * estimateMedia({ mime: "image/png" }),
    ],
    [
      "a file",
      part("file", { leaves, media: { mime: "image/png" } }),
      overhead + estimateMedia({ mime: "image/png" }),
    ],
    [
      "a call that can't be read",
      call("a", { input: undefined, leaves }),
      overhead + estimateTokens("read") + tokens,
    ],
  ])("%s", (_, given, expected) => {
    expect(overhead).toBeGreaterThan(0);
    expect(countPart(given)).toBe(expected);
  });

  test.each<[string, unknown]>([
    ["a text", { command: body }],
    ["fields", { path: "src/a.ts", offset: 10, limit: 200, all: true, none: null, more: "a few words more" }],
    [
      "lists",
      { edits: Array.from({ length: 20 }, (_, i) => ({ oldText: `line ${i}`, newText: `row ${i}` })) },
    ],
    ["numbers", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
  ])("a JSON value costs about as much as its JSON: %s", (_, value) => {
    const json = estimateTokens(JSON.stringify(value));
    for (const given of [
      countPart(call("a", { input: value })) - countPart(call("a", { input: undefined })),
      countPart(part("result", { callId: "a", status: "ok", leaves: twice, value })) - overhead,
      countPart(part("opaque", { raw: value })) - overhead,
    ]) {
      expect(given).toBeGreaterThan(0.7 * json);
      expect(given).toBeLessThan(1.5 * json + 3);
    }
  });

  test("a cyclic value is counted once", () => {
    const endless: Record<string, unknown> = { body };
    endless.self = endless;
    expect(countPart(part("opaque", { raw: endless }))).toBeLessThan(overhead + tokens + 20);
  });
});

test("messages that a host's compaction kept are one input, whatever they contain", () => {
  const ask: DecodedMessage = { role: "user", parts: [text("do it", { role: "user" })] };
  const respond: DecodedMessage = { role: "assistant", parts: [call("a", opens)] };
  const messages = [ask, respond, ask, respond, ask, respond];
  expect([0, 1, 2, 3, 4, 9].map((carried) => requestEnds(messages, carried))).toEqual([
    [1, 3, 5, 6],
    [1, 3, 5, 6],
    [3, 5, 6],
    [3, 5, 6],
    [5, 6],
    [6],
  ]);
});
