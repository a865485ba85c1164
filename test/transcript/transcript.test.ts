import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requestEnds } from "../../src/formats/intake/request-ends.ts";
import { hashText } from "../../src/transcript/hash.ts";
import type { DecodedMessage } from "../../src/transcript/message.ts";
import type { Part } from "../../src/transcript/part.ts";
import { Transcript } from "../../src/transcript/transcript.ts";
import { UndoLog } from "../../src/transcript/undo-log.ts";

const text = (body: string, role: Part["role"] = "assistant"): Part => ({
  kind: "text",
  slot: "0",
  role,
  leaves: [{ id: "text", text: body }],
});
const call = (callId: string): Part => ({
  kind: "call",
  slot: "c",
  role: "assistant",
  leaves: [],
  callId,
  tool: "read",
  input: {},
});
const result = (callId: string): Part => ({
  kind: "result",
  slot: "r",
  role: "tool",
  leaves: [],
  callId,
  status: "ok",
});

describe("keys", () => {
  const keysOf = (...messages: (readonly Part[])[]) => {
    const transcript = new Transcript();
    for (const [i, parts] of messages.entries()) transcript.append(parts, i, false);
    return transcript.keys;
  };

  test("calls and results by id and occurrence, text by the step's first call", () => {
    expect(keysOf([text("thinking about it"), call("a"), call("b")], [result("a"), result("b")])).toEqual([
      "text:in:call:a#1#1",
      "call:a#1",
      "call:b#1",
      "result:a#1",
      "result:b#1",
    ]);
  });

  test("the text of a step with calls is ignored: removing an echo from it does not change its key", () => {
    expect(keysOf([text("one"), call("a")])).toEqual(keysOf([text("another"), call("a")]));
  });

  test("repeated ids are distinguished, in order", () => {
    expect(keysOf([call("x"), call("x")], [result("x"), result("x")], [call("x")])).toEqual([
      "call:x#1",
      "call:x#2",
      "result:x#1",
      "result:x#2",
      "call:x#3",
    ]);
  });

  test("without calls: by content and occurrence, including the speaker", () => {
    const [first, second, other] = keysOf([text("go on", "user")], [text("go on", "user")], [text("go on")]);
    expect(second).toBe(first?.replace("#1", "#2"));
    expect(other?.endsWith("#1")).toBe(true);
    expect(other).not.toBe(first);
  });

  test("all keys of a transcript are different, and are reused after a rollback", () => {
    const transcript = new Transcript();
    const rounds = () => {
      for (let i = 0; i < 5; i++) transcript.append([text("same"), call("x"), call("x")], i, false);
      return [...transcript.keys];
    };
    const mark = transcript.undoLog.mark();
    const first = rounds();
    expect(new Set(first).size).toBe(first.length);
    transcript.rollback(mark);
    expect(transcript.length).toBe(0);
    expect(rounds()).toEqual(first);
  });
});

describe("boundaries", () => {
  const message = (parts: readonly Part[], rest: Partial<DecodedMessage> = {}): DecodedMessage => ({
    role: parts[0]?.role ?? "user",
    parts,
    ...rest,
  });
  const ask = message([text("do it", "user")]);
  const respond = (time?: number): DecodedMessage =>
    message([{ ...call("a"), opensStep: true }], time === undefined ? {} : { time });
  const answer = message([result("a")]);

  test.each<[string, readonly DecodedMessage[], readonly number[]]>([
    ["nothing", [], []],
    ["one question", [ask], [1]],
    ["before each response, and at the end", [ask, respond(), answer, respond(), answer], [1, 3, 5]],
    ["a history that begins with a response", [respond(), answer], [2]],
    ["responses in a row", [ask, respond(), respond()], [1, 2, 3]],
    ["messages without parts change nothing", [message([]), ask, respond()], [2, 3]],
  ])("%s", (_, messages, expected) => {
    expect(requestEnds(messages)).toEqual(expected);
  });

  test("a compaction, its summary and the older tail that it kept are one input", () => {
    const compaction = message([text("", "user")], { isCompaction: true, time: 900 });
    const summary = message([text("what was done")], { time: 950 });
    const tail = [respond(500), answer, respond(600), answer];
    expect(requestEnds([compaction, summary, ...tail, ask, respond(1_000), answer])).toEqual([7, 9]);
  });
});

test("the undo log undoes any sequence of writes", () => {
  type Write = readonly ["set" | "remove" | "push" | "put", string, number];
  const writes = fc.array(
    fc.tuple(
      fc.constantFrom("set", "remove", "push", "put"),
      fc.constantFrom("a", "b", "c"),
      fc.integer(),
    ) as fc.Arbitrary<Write>,
  );
  fc.assert(
    fc.property(writes, writes, (before, after) => {
      const undoLog = new UndoLog();
      const map = new Map<string, number>();
      const list: number[] = [];
      const record: Record<string, number> = { a: 0, b: 0, c: 0 };
      const told = { map: new Map<string, number>(), list: [] as number[], record: { ...record } };
      const tell = ([kind, key, value]: Write) => {
        if (kind === "set") told.map.set(key, value);
        else if (kind === "remove") told.map.delete(key);
        else if (kind === "push") told.list.push(value);
        else told.record[key] = value;
      };
      const write = ([kind, key, value]: Write) => {
        if (kind === "set") undoLog.set(map, key, value);
        else if (kind === "remove") undoLog.remove(map, key);
        else if (kind === "push") undoLog.push(list, value);
        else undoLog.put(record, key, value);
      };
      before.forEach(write);
      before.forEach(tell);
      expect({ map, list, record }).toEqual(told);
      const snapshot = structuredClone({ map, list, record });
      const mark = undoLog.mark();
      after.forEach(write);
      undoLog.rollback(mark);
      expect({ map: new Map([...map].sort()), list, record }).toEqual({
        ...snapshot,
        map: new Map([...snapshot.map].sort()),
      });
      undoLog.rollback(0);
      expect({ map, list, record }).toEqual({ map: new Map(), list: [], record: { a: 0, b: 0, c: 0 } });
    }),
    { numRuns: 500 },
  );
});

test("writes before a mark that was settled stay, and those behind it can still be undone", () => {
  const undoLog = new UndoLog();
  const list: number[] = [];
  undoLog.push(list, 1);
  const settled = undoLog.mark();
  undoLog.push(list, 2);
  const later = undoLog.mark();
  undoLog.push(list, 3);
  undoLog.settle(settled);
  undoLog.settle(0);
  expect(undoLog.reaches(0)).toBe(false);
  expect(() => undoLog.rollback(0)).toThrow(RangeError);
  undoLog.rollback(later);
  expect(list).toEqual([1, 2]);
  expect(undoLog.mark()).toBe(later);
  undoLog.rollback(settled);
  expect(list).toEqual([1]);
});

test("hashes: fixed, and different for what differs", () => {
  expect(hashText("coppice")).toBe(hashText("coppice"));
  const seen = new Set<string>();
  for (let i = 0; i < 20_000; i++) seen.add(hashText(`part ${i}`).slice(0, 10));
  expect(seen.size).toBe(20_000);
  expect(hashText("")).toMatch(/^[0-9a-f]{16}$/);
  expect(hashText("\ud800")).not.toBe(hashText("\ud801"));
});
