import { expect, test } from "vitest";
import { rememberAt } from "../../src/basics/remember.ts";
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
  const mark = transcript.journal.mark();
  say("two");
  const before = transcript.version;
  transcript.rollback(mark);
  say("three");
  expect(transcript.length).toBe(2);
  expect(transcript.version).not.toBe(before);
});
