import { expect, test } from "vitest";
import { parseRecording } from "../../src/recordings/parse-recording.ts";
import { labelSegment, labelSession } from "../../src/recordings/session-label.ts";
import { answer, makeRecording, makeSegment, user } from "../replay/make-recording.ts";

test("project, prompt, and when it began and ended", () => {
  const recording = {
    ...makeRecording([user("Fix it", 1_000), answer("done", { time: 9_000 })]),
    project: "/a/b",
  };
  expect(labelSession(recording)).toEqual({ project: "/a/b", prompt: "Fix it", start: 1_000, end: 9_000 });
  expect(labelSession(makeRecording([]))).toEqual({});
});

test("text that a compaction kept is the prompt only if there is no other, and does not affect the time", () => {
  const carried = [user("The summary", 1), answer("kept", { time: 2 })];
  const recording = makeRecording([], makeSegment([...carried, user("Go on", 50), answer("yes")], 2));
  expect(labelSession(recording)).toEqual({ prompt: "Go on", start: 50, end: 50 });
  expect(labelSegment(makeSegment(carried, 2), "openai-chat")).toBe("The summary");
});

const claude = (type: string, content: string, n: number) => ({
  type,
  uuid: `u${n}`,
  parentUuid: n === 0 ? null : `u${n - 1}`,
  cwd: "/home/ada/shop",
  sessionId: "s1",
  timestamp: `2026-01-20T09:0${n}:00.000Z`,
  message: {
    id: `m${n}`,
    role: type,
    content: type === "user" ? content : [{ type: "text", text: content }],
  },
});
const lines = (records: readonly unknown[]): string => records.map((each) => JSON.stringify(each)).join("\n");

test.each<[string, string, string]>([
  ["Claude Code", lines([claude("user", "Hello", 0), claude("assistant", "Hi", 1)]), "/home/ada/shop"],
  [
    "Codex",
    lines([
      { type: "session_meta", payload: { id: "s", cwd: "/home/ada/shop" } },
      {
        type: "response_item",
        payload: { type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] },
      },
    ]),
    "/home/ada/shop",
  ],
  [
    "Copilot CLI",
    lines([
      { type: "session.start", data: { sessionId: "s", context: { cwd: "C:\\shop" } } },
      { type: "user.message", data: { content: "Hello" } },
    ]),
    "C:\\shop",
  ],
  [
    "pi",
    lines([
      { type: "session", id: "s", cwd: "/shop" },
      { type: "message", id: "1", parentId: null, message: { role: "user", content: "Hello" } },
    ]),
    "/shop",
  ],
  [
    "OpenCode",
    JSON.stringify({
      info: { id: "ses_1", projectID: "p", directory: "/shop" },
      messages: [
        {
          info: { id: "msg_1", role: "user", time: { created: 1 } },
          parts: [{ type: "text", text: "Hello" }],
        },
      ],
    }),
    "/shop",
  ],
])("%s names its folder", (_, text, project) => {
  const read = parseRecording(text);
  if (!read.ok) throw new Error(read.issue.message);
  expect(labelSession(read.value)).toMatchObject({ project, prompt: "Hello" });
});

test("conversations of one file are separate; the segment after a compaction is not", () => {
  const two = lines([
    {
      messages: [
        { role: "user", content: "one" },
        { role: "assistant", content: "a" },
      ],
    },
    {
      messages: [
        { role: "user", content: "two" },
        { role: "assistant", content: "b" },
      ],
    },
  ]);
  const simulation = (content: string) => ({ messages: [{ role: "user", content }] });
  const run = JSON.stringify({ tasks: [], simulations: [simulation("one"), simulation("two")] });
  for (const text of [two, run]) {
    const read = parseRecording(text);
    if (!read.ok) throw new Error(read.issue.message);
    expect(read.value.segments.map(({ separate }) => separate)).toEqual([undefined, true]);
  }
  const compacted = lines([
    claude("user", "Hello", 0),
    claude("assistant", "Hi", 1),
    { type: "system", subtype: "compact_boundary", uuid: "u2", parentUuid: null, logicalParentUuid: "u1" },
    { ...claude("user", "The summary", 3), isCompactSummary: true },
    claude("assistant", "Going on", 4),
  ]);
  const read = parseRecording(compacted);
  if (!read.ok) throw new Error(read.issue.message);
  expect(read.value.segments.map(({ separate }) => separate)).toEqual([undefined, undefined]);
});
