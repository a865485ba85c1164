import { expect, test } from "vitest";
import { rememberAt, rememberNewest, rememberText } from "../../src/basics/remember.ts";
import { Transcript } from "../../src/transcript/transcript.ts";

test("worked out again when the version is another one", () => {
  let version = 1;
  let runs = 0;
  const count = rememberAt(
    () => version,
    () => ++runs,
  );
  expect([count(), count()]).toEqual([1, 1]);
  version = 2;
  expect([count(), count()]).toEqual([2, 2]);
});

test("a transcript that was rolled back and has grown as long again has another version", () => {
  const transcript = new Transcript();
  const say = (text: string) =>
    transcript.append([{ kind: "text", slot: "0", role: "user", leaves: [{ id: "text", text }] }], 0, true);
  say("one");
  const mark = transcript.undoLog.mark();
  say("two");
  const before = transcript.version;
  transcript.rollback(mark);
  say("three");
  expect(transcript.length).toBe(2);
  expect(transcript.version).not.toBe(before);
});

test("of what takes much room only the newest are known", () => {
  const worked: number[] = [];
  const keys = Array.from({ length: 7 }, (_, i) => ({ i }));
  const ask = rememberNewest(({ i }: { i: number }) => {
    worked.push(i);
    return `value ${i}`;
  }, 3);
  for (const key of keys.slice(0, 6)) expect([ask(key), ask(key)]).toEqual(Array(2).fill(`value ${key.i}`));
  for (const key of keys.slice(0, 6)) ask(key);
  expect(worked).toEqual([0, 1, 2, 3, 4, 5]);
  for (const key of keys.slice(6)) ask(key);
  for (const key of keys.slice(3, 6)) ask(key);
  expect(worked).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(keys.slice(0, 1).map(ask)).toEqual(["value 0"]);
  expect(worked.at(-1)).toBe(0);
});

test("texts are known by what they say, the newest for as long as there is room", () => {
  const worked: string[] = [];
  const measure = rememberText((text) => {
    worked.push(text);
    return text.length;
  }, 6);
  for (const text of ["aaa", "bbb", "aaa", "ccc", "aaa", "bbb"]) expect(measure(text)).toBe(3);
  expect(worked).toEqual(["aaa", "bbb", "ccc", "bbb"]);
  expect([measure("too long"), measure("too long")]).toEqual([8, 8]);
  expect([measure("aaa"), measure("bbb")]).toEqual([3, 3]);
  expect(worked.slice(4)).toEqual(["too long", "too long"]);
});
