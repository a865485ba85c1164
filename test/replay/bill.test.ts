import { describe, expect, test } from "vitest";
import type { ModelOverrides } from "../../src/models/profile.ts";
import { replayRecording } from "../../src/replay/replay.ts";
import { noPruning, type ReplayPolicy } from "../../src/replay/replay-policy.ts";
import { estimateTokens } from "../../src/transcript/estimate.ts";
import {
  answer,
  call,
  type Line,
  makeRecording,
  makeSegment,
  result,
  tokens,
  user,
} from "./make-recording.ts";

// Every part costs 4 tokens on the wire, so a text of 96 makes a message of 100.
const PRICES: ModelOverrides = { "*": { write: 1.25, read: 0.1, ttl: 300_000, minimumPrefix: 0 } };
const OPTIONS = { prices: PRICES, prefixTokens: 1000 };
const MINUTE = 60_000;

const TWO_REQUESTS = [user(tokens(96), 0), answer(tokens(46)), user(tokens(146), MINUTE), answer("done")];

/** Sends the first user message as another text from the second request on. */
function changeFirst(content: string): ReplayPolicy {
  const changed = { role: "user", content };
  return {
    name: "change first",
    start:
      () =>
      (messages, { index }) =>
        index === 0 ? messages : [changed, ...messages.slice(1)],
  };
}

/** Names the model of every answer. */
function answeredBy(model: string): (line: Line) => Line {
  return (line) => ({ ...line, meta: { ...line.meta, model } });
}

test("the ruler: one token a character", () => {
  expect([1, 40, 96].map((count) => estimateTokens(tokens(count)))).toEqual([1, 40, 96]);
});

describe("without pruning", () => {
  test("text of the last request is read, the rest written", () => {
    const replay = replayRecording(makeRecording(TWO_REQUESTS), noPruning, OPTIONS);
    // 1: 1000 + 100 tokens, all written: 1100 * 1.25 = 1375
    // 2: 1000 + 100 + 50 + 150 = 1300 tokens, 1100 of them read: 110 + 200 * 1.25 = 360
    expect(replay.requests.map(({ tokens, cached, bill }) => ({ tokens, cached, bill }))).toEqual([
      { tokens: 1100, cached: 0, bill: 1375 },
      { tokens: 1300, cached: 1100, bill: 360 },
    ]);
    expect(replay).toMatchObject({
      bill: 1735,
      share: 1,
      rewriteFree: 1735,
      sent: 2400,
      peak: 1300,
      breaks: 0,
    });
  });

  test("the prefix is 8,000 tokens unless it is known", () => {
    const replay = replayRecording(makeRecording(TWO_REQUESTS), noPruning, { prices: PRICES });
    expect(replay.requests.map(({ tokens }) => tokens)).toEqual([8100, 8300]);
  });

  test("after a pause longer than the TTL everything is written again, and that is not a break", () => {
    const lines = [user(tokens(96), 0), answer("a"), user(tokens(96), 5 * MINUTE + 1), answer("b")];
    const [, cold] = replayRecording(makeRecording(lines), noPruning, OPTIONS).requests;
    // 1000 + 100 + 5 + 100 = 1205 tokens * 1.25
    expect(cold).toMatchObject({ cold: true, cached: 0, bill: 1506.25, breaksCache: false });
  });

  test("a pause of just the TTL is warm", () => {
    const lines = [user(tokens(96), 0), answer("a"), user(tokens(96), 5 * MINUTE), answer("b")];
    const [, warm] = replayRecording(makeRecording(lines), noPruning, OPTIONS).requests;
    expect(warm).toMatchObject({ cold: false, cached: 1100 });
  });

  test("the pause counts from the previous request, not from the first", () => {
    const lines = [
      ...[user("a", 0), answer("b"), user("c", 4 * MINUTE), answer("d"), user("e", 8 * MINUTE), answer("f")],
    ];
    const replay = replayRecording(makeRecording(lines), noPruning, OPTIONS);
    expect(replay.requests.map(({ cold }) => cold)).toEqual([true, false, false]);
  });

  test("a request's time is that of its newest input", () => {
    const lines = [
      user("a", 0),
      call("c1", "shell", {}),
      result("c1", "x", 7 * MINUTE),
      answer("b"),
      user("c", 9 * MINUTE),
      answer("d"),
    ];
    const replay = replayRecording(makeRecording(lines), noPruning, OPTIONS);
    expect(replay.requests.map(({ time, cold }) => [time, cold])).toEqual([
      [0, true],
      [7 * MINUTE, true],
      [9 * MINUTE, false],
    ]);
  });

  test("a prefix shorter than the minimum is never cached", () => {
    const prices = { "*": { ...PRICES["*"], minimumPrefix: 1101 } };
    const [, second] = replayRecording(makeRecording(TWO_REQUESTS), noPruning, {
      ...OPTIONS,
      prices,
    }).requests;
    // 1300 * 1.25: the 1100 tokens that both have are one too few
    expect(second).toMatchObject({ cached: 0, bill: 1625, cold: true });
  });

  test("a prefix of just the minimum is", () => {
    const prices = { "*": { ...PRICES["*"], minimumPrefix: 1100 } };
    const [, second] = replayRecording(makeRecording(TWO_REQUESTS), noPruning, {
      ...OPTIONS,
      prices,
    }).requests;
    expect(second).toMatchObject({ cached: 1100, bill: 360 });
  });

  test("another model has another cache, and its own prices", () => {
    const lines = [
      ...[
        user(tokens(96), 0),
        answer("a", { model: "x-1" }),
        user(tokens(96), 1),
        answer("b", { model: "x-1" }),
      ],
      ...[user(tokens(96), 2), answer("c", { model: "x-2" })],
    ];
    const prices = { ...PRICES, "x-2": { write: 2 } };
    const replay = replayRecording(makeRecording(lines), noPruning, { ...OPTIONS, prices });
    expect(replay.requests.map(({ model, cold }) => [model, cold])).toEqual([
      ["x-1", true],
      ["x-1", false],
      ["x-2", true],
    ]);
    // 1000 + 100 + 5 + 100 + 5 + 100 = 1310 tokens * 2
    expect(replay.requests[2]?.bill).toBe(2620);
    expect(replay.issues.map(({ code }) => code)).toEqual(["unknown-model", "unknown-model"]);
  });

  test("without times the cache is warm, and the replay says so", () => {
    const replay = replayRecording(
      makeRecording([user("a"), answer("b"), user("c"), answer("d")]),
      noPruning,
      OPTIONS,
    );
    expect(replay.requests.map(({ cold }) => cold)).toEqual([true, false]);
    expect(replay.issues).toMatchObject([
      { code: "no-times", message: "2 of 2 requests have no time: Coppice assumes a warm cache there" },
      { code: "unknown-model" },
    ]);
  });

  test("a session without a response has no requests and no bill", () => {
    const replay = replayRecording(makeRecording([user("hello?", 0)]), noPruning, OPTIONS);
    expect(replay).toMatchObject({ requests: [], bill: 0, share: 1, peak: 0 });
  });
});

describe("a cut", () => {
  // The first 40 tokens stay, 10 others follow: a message of 54.
  const change = changeFirst(tokens(40) + tokens(10, 2));

  test("is billed from the last entry before it, if the provider caches at marks", () => {
    const replay = replayRecording(makeRecording(TWO_REQUESTS), change, OPTIONS);
    // 2: 1000 + 54 + 50 + 150 = 1254 tokens, 1000 read: 100 + 254 * 1.25 = 417.5
    expect(replay.requests[1]).toMatchObject({ tokens: 1254, cached: 1000, bill: 417.5, breaksCache: true });
    // If rewriting were free, only the new messages (50 + 150) were written: 1054 * 0.1 + 250 = 355.4
    expect(replay.requests[1]?.rewriteFree).toBeCloseTo(355.4);
    expect(replay).toMatchObject({ bill: 1792.5, breaks: 1, peak: 1254, sent: 2354 });
    expect(replay.inputShare).toBeCloseTo(1792.5 / 1735);
  });

  test("is billed from the first character that changed, in whole units, if every prefix is cached", () => {
    const recording = makeRecording(TWO_REQUESTS.map(answeredBy("gpt-5.6")));
    const replay = replayRecording(recording, changeFirst(tokens(10) + tokens(40, 2)), OPTIONS);
    // 1000 + 10 tokens are the same, 7 * 128 of them read: 89.6 + 358 * 1.25 = 537.1
    expect(replay.requests[1]).toMatchObject({ tokens: 1254, cached: 896, breaksCache: true });
    expect(replay.requests[1]?.bill).toBeCloseTo(537.1);
  });

  test("in a cold cache breaks nothing, and writing still costs", () => {
    const lines = [user(tokens(96), 0), answer(tokens(46)), user(tokens(146), 9 * MINUTE), answer("done")];
    const replay = replayRecording(makeRecording(lines), changeFirst(tokens(6)), OPTIONS);
    // 1000 + 10 + 50 + 150 = 1210 tokens * 1.25 = 1512.5
    expect(replay.requests[1]).toMatchObject({ bill: 1512.5, rewriteFree: 1512.5, breaksCache: false });
  });

  test("before the first send costs nothing", () => {
    const short = { role: "user", content: tokens(6) };
    const policy: ReplayPolicy = {
      name: "short",
      start: () => (messages) => [short, ...messages.slice(1)],
    };
    const replay = replayRecording(makeRecording(TWO_REQUESTS), policy, OPTIONS);
    // 1: 1010 * 1.25 = 1262.5    2: 1010 * 0.1 + 200 * 1.25 = 351
    expect(replay.requests.map(({ bill }) => bill)).toEqual([1262.5, 351]);
    expect(replay.breaks).toBe(0);
  });

  test("a new but equal message at each request breaks nothing", () => {
    const policy: ReplayPolicy = { name: "copies", start: () => (messages) => structuredClone(messages) };
    const replay = replayRecording(makeRecording(TWO_REQUESTS), policy, OPTIONS);
    expect(replay).toMatchObject({ bill: 1735, breaks: 0, share: 1 });
  });

  describe("in a call", () => {
    const lines = [
      user(tokens(96), 0),
      call("c1", "write", { path: tokens(20), content: tokens(50) }),
      result("c1", tokens(46), 1),
      answer("a"),
      user(tokens(46), 2),
      answer("b"),
    ];
    // The prefix and the user's message are 1100 tokens in every case; every prefix of 1024 tokens and more is cached.
    const cases: readonly (readonly [what: string, changed: Line, cached: number])[] = [
      [
        "leaves the inputs before it",
        call("c1", "write", { path: tokens(20), content: tokens(52) }),
        9 * 128,
      ],
      [
        "leaves nothing behind it",
        call("c1", "write", { path: tokens(5) + tokens(15, 2), content: tokens(50) }),
        8 * 128,
      ],
      [
        "leaves nothing of a call with another id",
        call("c2", "write", { path: tokens(20), content: tokens(50) }),
        8 * 128,
      ],
    ];
    test.each(cases)("%s", (_, { message }, cached) => {
      const policy: ReplayPolicy = {
        name: "change call",
        start:
          () =>
          (messages, { index }) =>
            index < 2 ? messages : messages.with(1, message),
      };
      const recording = makeRecording(lines.map(answeredBy("gpt-5.6")));
      const replay = replayRecording(recording, policy, OPTIONS);
      expect(replay.requests[2]).toMatchObject({ cached });
    });
  });

  test("the bill includes a policy's additions to every request", () => {
    const policy: ReplayPolicy = { ...noPruning, overheadTokens: 500 };
    const replay = replayRecording(makeRecording(TWO_REQUESTS), policy, OPTIONS);
    // 1: 1600 * 1.25 = 2000    2: 1600 * 0.1 + 200 * 1.25 = 410
    expect(replay.requests.map(({ bill }) => bill)).toEqual([2000, 410]);
    expect(replay.inputShare).toBeCloseTo(2410 / 1735);
    // The answers stay the same: 50 tokens, and one word.
    expect(replay.share).toBeLessThan(replay.inputShare);
  });
});

describe("segments", () => {
  const compacted = makeSegment(
    [
      user(tokens(36), 3),
      answer("kept"),
      user(tokens(16), 2),
      answer(tokens(6)),
      user(tokens(16), 4),
      answer("end"),
    ],
    2,
  );

  test("each begins with a cold cache, and there was no request for kept messages", () => {
    const replay = replayRecording(makeRecording(TWO_REQUESTS, compacted), noPruning, OPTIONS);
    expect(replay.requests.map(({ index, segment, cold }) => [index, segment, cold])).toEqual([
      [0, 0, true],
      [1, 0, false],
      [2, 1, true],
      [3, 1, false],
    ]);
    // 40 + 4 + estimate("kept") + 20 on top of the prefix, all written; then 10 + 20 more.
    const kept = 4 + estimateTokens("kept");
    expect(replay.requests[2]?.bill).toBe((1060 + kept) * 1.25);
    expect(replay.requests[3]?.bill).toBeCloseTo((1060 + kept) * 0.1 + 30 * 1.25);
  });

  test("a policy is started once and sees each history with its meta", () => {
    const seen: unknown[] = [];
    const policy: ReplayPolicy = {
      name: "watch",
      start: (recording) => {
        seen.push(recording);
        return (messages, request) => {
          seen.push([request.index, request.segment, messages.length, request.meta.length, request.time]);
          return messages;
        };
      },
    };
    replayRecording(makeRecording(TWO_REQUESTS, compacted), policy, OPTIONS);
    expect(seen).toEqual([
      {
        ...{ source: "codex", format: "openai-chat", prices: PRICES, prefixTokens: 1000 },
        ...{ isRecorded: false, mayMark: true },
      },
      [0, 0, 1, 1, 0],
      [1, 0, 3, 3, MINUTE],
      [2, 1, 3, 3, 3],
      [3, 1, 5, 5, 4],
    ]);
  });
});

test("a model that is named once, at the end, is that of all requests: no switch, and no cold cache", () => {
  const lines = [
    user("go", 0),
    answer("on it"),
    user("more", 1),
    answer("done", { model: "claude-sonnet-4-5" }),
  ];
  const recording = { ...makeRecording(lines), models: ["claude-sonnet-4-5"] };
  const asked: (string | undefined)[] = [];
  const policy: ReplayPolicy = {
    name: "listens",
    start:
      () =>
      (messages, { model }) => {
        asked.push(model);
        return messages;
      },
  };
  const { requests } = replayRecording(recording, policy);
  expect(asked).toEqual(["claude-sonnet-4-5", "claude-sonnet-4-5"]);
  expect(requests.map(({ cold }) => cold)).toEqual([true, false]);
});
