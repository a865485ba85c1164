import { expect, test } from "vitest";
import { rememberAt, rememberText } from "../../src/basics/remember.ts";
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
