import { describe, expect, test } from "vitest";
import { formatByName } from "../../src/formats/detect.ts";
import { listVoidReasoning } from "../../src/replay/legality.ts";
import { prepareReplay } from "../../src/replay/replay.ts";
import { noPruning, type ReplayPolicy } from "../../src/replay/replay-policy.ts";
import { findCommonPrefix, MessageReader } from "../../src/replay/sent-view.ts";
import { answer, call, type Line, makeRecording, result, user } from "./make-recording.ts";

const LINES = [
  user("go"),
  call("c1", "shell", {}),
  result("c1", "x"),
  answer("y"),
  user("z"),
  answer("done"),
];

/** Leaves one message out once it is there. */
function without(index: number): ReplayPolicy {
  return { name: "without", start: () => (messages) => messages.filter((_, i) => i !== index) };
}

function illegalOf(lines: readonly Line[], policy: ReplayPolicy) {
  return prepareReplay(makeRecording(lines)).run(policy);
}

test("a view that the provider refuses is reported at each request", () => {
  const replay = illegalOf(LINES, without(2));
  expect(replay.requests.map(({ illegal }) => illegal.map(({ code }) => code))).toEqual([
    [],
    ["call-without-result"],
    ["call-without-result"],
  ]);
  expect(replay.illegal).toBe(2);
});

test("errors of the session itself are not reported", () => {
  const broken = [user("go"), result("c0", "of no call"), ...LINES.slice(1)];
  expect(illegalOf(broken, noPruning).illegal).toBe(0);
  expect(illegalOf(broken, without(5)).illegal).toBe(0);
  const [, , last] = illegalOf(broken, without(3)).requests;
  expect(last?.illegal.map(({ code }) => code)).toEqual(["call-without-result"]);
});

test("one additional error of the same kind is found", () => {
  const twice = [user("go"), result("c0", "of no call"), ...LINES.slice(1)];
  const again: ReplayPolicy = {
    name: "again",
    start: () => (messages) => [...messages, { role: "tool", tool_call_id: "c0", content: "again" }],
  };
  expect(illegalOf(twice, again).requests.map(({ illegal }) => illegal.length)).toEqual([1, 1, 1]);
});

describe("bound reasoning", () => {
  const thinking = (text: string) => ({
    role: "assistant",
    content: [
      { type: "thinking", thinking: text, signature: "s" },
      { type: "text", text },
    ],
  });
  const messages = [
    { role: "user", content: "one" },
    thinking("a"),
    { role: "user", content: "two" },
    thinking("b"),
  ];
  const changedAt = (index: number) => messages.with(index, { role: "user", content: "other" });

  const cases: readonly (readonly [
    what: string,
    now: readonly unknown[],
    rule: "bound" | "signed",
    where: readonly string[],
  ])[] = [
    ["behind a cut is void", changedAt(0), "bound", ["messages/1", "messages/3"]],
    ["before a cut is not", changedAt(2), "bound", ["messages/3"]],
    ["behind a message that has gone is void", messages.slice(1), "bound", ["messages/0", "messages/2"]],
    ["is void only for models that bind it", changedAt(0), "signed", []],
    [
      "behind a change in its own message is void",
      messages.with(1, {
        role: "assistant",
        content: [{ type: "text", text: "new" }, ...thinking("a").content],
      }),
      "bound",
      ["messages/1", "messages/3"],
    ],
    [
      "before a change in its own message is not",
      messages.slice(0, 2).with(1, {
        role: "assistant",
        content: [...thinking("a").content.slice(0, 1), { type: "text", text: "new" }],
      }),
      "bound",
      [],
    ],
  ];
  test.each(cases)("%s", (_, now, rule, where) => {
    const reader = new MessageReader(formatByName("anthropic-messages"));
    const before = messages.map((message) => reader.read(message));
    const view = now.map((message) => reader.read(message));
    const found = listVoidReasoning(view, findCommonPrefix(before, view), rule);
    expect(found.map((issue) => issue.where)).toEqual(where);
  });

  test("is invalid after a cut in a cold cache, too", () => {
    const segment = { messages, meta: [{ time: 0 }, {}, { time: 1e9 }, {}], carried: 0 };
    const recording = { ...makeRecording([]), format: "anthropic-messages" as const, segments: [segment] };
    const cut: ReplayPolicy = {
      name: "cut",
      start:
        () =>
        (all, { index }) =>
          index === 0 ? all : all.with(0, { role: "user", content: "other" }),
    };
    const bench = prepareReplay(recording, { prices: { "*": { reasoning: "bound" } } });
    expect(bench.run(noPruning).illegal).toBe(0);
    const [, second] = bench.run(cut).requests;
    expect(second).toMatchObject({ cold: true, breaksCache: false, illegal: [{ where: "messages/1" }] });
  });
});
