import { describe, expect, test } from "vitest";
import type { ModelOverrides } from "../../src/models/profile.ts";
import { coppicePolicy } from "../../src/replay/coppice-policy.ts";
import { replayRecording } from "../../src/replay/replay.ts";
import { keepWarm, noPruning, type ReplayPolicy } from "../../src/replay/replay-policy.ts";
import { answer, type Line, makeRecording, makeSegment, result, tokens, user } from "./make-recording.ts";

const MINUTE = 60_000;
const PRICES: ModelOverrides = {
  "*": { write: 1.25, read: 0.1, ttl: 5 * MINUTE, minimumPrefix: 0, dollarsPerMillion: 1e6 },
};
const OPTIONS = { prices: PRICES, prefixTokens: 1000 };
const WARM = keepWarm(noPruning);

/** Requests of 1,100, 1,250 … tokens at these minutes. */
function pausing(...minutes: readonly (number | undefined)[]): readonly Line[] {
  return minutes.flatMap((minute) => [
    user(tokens(96), minute === undefined ? undefined : minute * MINUTE),
    answer(tokens(46)),
  ]);
}

function replay(lines: readonly Line[], policy: ReplayPolicy = WARM) {
  return replayRecording(makeRecording(lines), policy, OPTIONS);
}

describe("a pause", () => {
  test("is bridged by pings, each a read of the whole request and a token of output", () => {
    const { requests, ...totals } = replay(pausing(0, 12));
    // 1: 1100 * 1.25, pings after 4.5 and 9 minutes; 2: 1100 * 0.1 + 150 * 1.25
    expect(requests.map(({ bill }) => bill)).toEqual([1375, 297.5]);
    expect(requests[0]?.pings).toEqual({ count: 2, bill: 2 * 115 });
    expect(requests[1]).toMatchObject({ cold: false, cached: 1100, pings: { count: 2, bill: 2 * 130 } });
    expect(totals).toMatchObject({
      policy: "no pruning + keep warm",
      pings: { count: 4, bill: 490 },
      pingsAtEnd: { count: 2, bill: 260 },
      bill: 1375 + 297.5 + 490,
      sent: 3 * 1100 + 3 * 1250,
      count: 2,
      peak: 1250,
    });
    // Answers of 50 tokens, each five times the price of input.
    expect(totals.dollars).toBeCloseTo(totals.bill + 2 * 50 * 5);
    expect(totals.inputShare).toBeCloseTo(totals.bill / (1375 + 1250 * 1.25));
  });

  test("that is short has none", () => {
    expect(replay(pausing(0, 4.5)).requests[0]?.pings.count).toBe(0);
    expect(replay(pausing(0, 4.6)).requests[0]?.pings.count).toBe(1);
  });

  test("that is too long is paid for twice", () => {
    const { requests } = replay(pausing(0, 30));
    expect(requests[0]?.pings.count).toBe(2);
    expect(requests[1]).toMatchObject({ cold: true, bill: 1250 * 1.25 });
    expect(replay(pausing(0, 14)).requests[1]?.cold, "9 minutes and the TTL").toBe(false);
    expect(replay(pausing(0, 14.1)).requests[1]?.cold).toBe(true);
  });

  test("of unknown length has none", () => {
    const { pings, pingsAtEnd } = replay(pausing(0, undefined, 30));
    expect(pings).toEqual(pingsAtEnd);
    expect(replay(pausing(undefined, undefined)).pings.count).toBe(0);
  });

  test("before a compaction is pinged too, until the next request", () => {
    const later = (minute: number) => makeSegment([user("summary", minute * MINUTE), answer("a")]);
    const pingsBefore = (minute: number) =>
      replayRecording(makeRecording(pausing(0), later(minute)), WARM, OPTIONS).requests[0]?.pings.count;
    expect(pingsBefore(4)).toBe(0);
    expect(pingsBefore(5)).toBe(1);
    expect(pingsBefore(60)).toBe(2);
  });

  test("with another budget has more pings", () => {
    expect(replay(pausing(0), keepWarm(noPruning, 1)).pings.count).toBe(11);
    expect(replay(pausing(0), keepWarm(noPruning, 0)).pings.count).toBe(0);
  });
});

test("a policy gets the time when the cache was last warmed, and Coppice does not treat it as cold", () => {
  const lines: Line[] = [user("read it", 0)];
  for (let i = 0; i < 4; i++) {
    const call = [
      { id: `c${i}`, type: "function", function: { name: "read", arguments: '{"filePath":"a.ts"}' } },
    ];
    lines.push({ message: { role: "assistant", content: null, tool_calls: call }, meta: {} });
    lines.push(
      result(`c${i}`, `${"export const rate = 1;\n".repeat(400)}// ${i}`, (i < 3 ? i : 14) * MINUTE),
    );
  }
  lines.push(answer("done"));
  const seen: unknown[] = [];
  const timings: string[] = [];
  const policy = (watched: boolean) =>
    coppicePolicy({}, "coppice", (report, { index, warmedAt }) => {
      if (report.cut) timings.push(`${index} ${report.cut.reason}`);
      if (watched) seen.push(warmedAt);
    });
  replay(lines, policy(false));
  expect(timings).toContain("4 cold-cache");
  timings.length = 0;
  replay(lines, keepWarm(policy(true)));
  expect(seen).toEqual([undefined, undefined, undefined, undefined, 11 * MINUTE]);
  expect(timings).not.toContain("4 cold-cache");
});
