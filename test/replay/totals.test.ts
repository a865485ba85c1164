import { describe, expect, test } from "vitest";
import { addUpByAuthor } from "../../src/replay/author-totals.ts";
import { countCompactions } from "../../src/replay/compactions.ts";
import { compareUsage } from "../../src/replay/compare-usage.ts";
import { coppicePolicy } from "../../src/replay/coppice-policy.ts";
import { prepareReplay, replayRecording } from "../../src/replay/replay.ts";
import { noPruning, type ReplayCut, type ReplayPolicy } from "../../src/replay/replay-policy.ts";
import type { ReplayedRequest } from "../../src/replay/replay-segment.ts";
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

const PRICES = { "*": { write: 1.25, read: 0.1, ttl: 300_000, minimumPrefix: 0 } };
const OPTIONS = { prices: PRICES, prefixTokens: 1000 };

const [REQUEST] = replayRecording(makeRecording([user("go", 0), answer("done")]), noPruning).requests;

function request(changes: Partial<ReplayedRequest>): ReplayedRequest {
  if (!REQUEST) throw new Error("a session of one request has one");
  return { ...REQUEST, ...changes };
}

describe("countCompactions", () => {
  const at = (segment: number, ...sizes: readonly number[]) =>
    sizes.map((size) => request({ segment, tokens: size }));
  // Room for 100 twice; the last segment grows by 30 and meets no compaction.
  const unpruned = [...at(0, 10, 60, 110), ...at(1, 20, 120), ...at(2, 20, 50)];

  test.each([
    ["nothing pruned: all of them", unpruned, 2],
    ["0.6 + 0.6 + 0.2: one", [...at(0, 10, 50, 70), ...at(1, 20, 80), ...at(2, 20, 40)], 1],
    ["0.6 + 0.3 + 0: none", [...at(0, 10, 50, 70), ...at(1, 20, 50), ...at(2, 20, 20)], 0],
    [
      "0.9 + 0.9 + 0.3: the last segment still fills up",
      [...at(0, 10, 60, 100), ...at(1, 20, 110), ...at(2, 20, 50)],
      2,
    ],
    [
      "smaller than it began: not less than nothing",
      [...at(0, 5, 5, 5), ...at(1, 5, 120), ...at(2, 20, 20)],
      1,
    ],
  ])("%s", (_, requests, left) => {
    expect(countCompactions(requests, unpruned)).toEqual({ recorded: 2, left });
  });

  test("a session without any has none to lose", () => {
    expect(countCompactions(at(0, 10, 900), at(0, 10, 900))).toEqual({ recorded: 0, left: 0 });
  });
});

test("a mechanism spares its tokens in each request until the host compacts", () => {
  const cut = (author: string, saved: number): ReplayCut => ({ author, reason: "", timing: "eager", saved });
  const requests = [
    request({ segment: 0, cuts: [] }),
    request({ segment: 0, cuts: [cut("a", 10), cut("b", 100)] }),
    request({ segment: 0, cuts: [cut("a", 5)] }),
    request({ segment: 1, cuts: [cut("a", 1)] }),
    request({ segment: 1, cuts: [cut("b", -40)] }),
  ];
  expect(addUpByAuthor(requests)).toEqual([
    // 10 in two requests, 5 in one, 1 in two
    { author: "a", cuts: 3, saved: 16, spared: 27 },
    // 100 in two, 40 back in one
    { author: "b", cuts: 2, saved: 60, spared: 160 },
  ]);
});

describe("usage", () => {
  const usage = (input: number, cacheRead: number, cacheWrite: number) => ({
    usage: { input, cacheRead, cacheWrite, output: 1 },
  });
  const lines = [
    user(tokens(96), 0),
    answer(tokens(46), usage(10, 0, 1190)),
    user(tokens(146), 1),
    answer("no usage"),
    user("more", 2),
    answer("none", usage(0, 0, 0)),
    user("again", 3),
    answer("x", usage(200, 300, 0)),
  ];
  const { requests } = replayRecording(makeRecording(lines), noPruning, OPTIONS);

  test("is priced by the recorded usage", () => {
    // 10 plain + 1190 * 1.25; 300 * 0.1 + 200 plain
    expect(requests.map(({ recorded }) => recorded?.bill)).toEqual([1497.5, undefined, undefined, 230]);
  });

  test("is shown next to the model's, for the requests that have it", () => {
    const [first, , , last] = requests;
    expect(compareUsage(requests)).toEqual({
      requests: 2,
      modelled: {
        tokens: 1100 + (last?.tokens ?? 0),
        cached: last?.cached,
        bill: 1375 + (last?.bill ?? 0),
      },
      recorded: { tokens: 1700, cached: 300, bill: 1727.5 },
      unexpectedHits: 0,
      unexpectedMisses: 0,
    });
    expect(first).toMatchObject({ tokens: 1100, cached: 0 });
    expect(compareUsage([])).toBeUndefined();
  });

  test.each([
    ["a hit in what was taken to be cold", { cached: 0 }, { input: 400, cacheRead: 600 }, [1, 0]],
    [
      "a small hit there is no surprise: a shared system prompt",
      { cached: 0 },
      { input: 900, cacheRead: 100 },
      [0, 0],
    ],
    ["a miss in what was taken to be warm", { cached: 900 }, { input: 600, cacheRead: 400 }, [0, 1]],
    ["about what was expected", { cached: 900 }, { input: 500, cacheRead: 500 }, [0, 0]],
  ])("%s", (_, changes, counts, [hits, misses]) => {
    const recorded = { cacheWrite: 0, output: 0, bill: 0, ...counts };
    const compared = compareUsage([request({ tokens: 1000, ...changes, recorded })]);
    expect(compared).toMatchObject({ unexpectedHits: hits, unexpectedMisses: misses });
  });

  test("shows the prefix, if requested", () => {
    const recorded = { prices: PRICES, prefixTokens: "recorded" } as const;
    // 1200 counted for a message of 100
    const counted = makeRecording(lines.slice(0, 2));
    expect(prepareReplay(counted, recorded).unpruned.requests[0]?.tokens).toBe(1200);
    const without = makeRecording([user(tokens(96)), answer("done")]);
    expect(prepareReplay(without, recorded).unpruned.requests[0]?.tokens).toBe(8100);
  });
});

test("dollars need the price of every model", () => {
  const session = (...models: readonly string[]) =>
    replayRecording(
      makeRecording(models.flatMap((model, i) => [user("go", i), answer("ok", { model })])),
      noPruning,
    );
  const known = session("claude-sonnet-4-5", "claude-sonnet-4-5");
  // Two answers of one word: four tokens and the word, at 15 dollars a million.
  expect(known.dollars).toBeCloseTo((known.bill * 3) / 1e6, 3);
  expect(known.dollars).toBeGreaterThan((known.bill * 3) / 1e6);
  expect(session("claude-sonnet-4-5", "nobody-knows-1").dollars).toBeUndefined();
});

test("uncached tokens are counted separately", () => {
  const lines = [user(tokens(96), 0), answer(tokens(46)), user(tokens(146), 1), answer("done")];
  const replay = replayRecording(makeRecording(lines), noPruning, OPTIONS);
  // 1100, then 1300 of which 1100 are cached
  expect(replay).toMatchObject({ sent: 2400, uncached: 1300, count: 2 });
});

describe("coppicePolicy", () => {
  const read = (id: string, time: number) => [
    call(id, "read", { path: "src/pricing.ts" }),
    result(id, `what the file says, for ${id}\n`.repeat(40), time),
  ];
  const lines: readonly Line[] = [user("go", 0), ...read("a", 1), ...read("b", 2), answer("done")];
  const eager = coppicePolicy({ config: { schedule: { mode: "eager" } } });

  test("reports its cuts, and the sent messages", () => {
    const { requests, mechanisms } = replayRecording(makeRecording(lines), eager, OPTIONS);
    expect(requests.map(({ cuts }) => cuts.length)).toEqual([0, 0, 1]);
    const [cut] = requests[2]?.cuts ?? [];
    expect(cut).toMatchObject({ timing: "eager" });
    expect(requests.map(({ view }) => view.length)).toEqual([1, 3, 5]);
    expect(JSON.stringify(requests[2]?.view)).toContain(cut?.reason);
    expect(mechanisms).toEqual([{ author: cut?.author, cuts: 1, saved: cut?.saved, spared: cut?.saved }]);
    expect(cut?.saved).toBeGreaterThan(100);
  });

  test("starts again with every recording and segment", () => {
    const bench = prepareReplay(makeRecording(lines, makeSegment(lines)), OPTIONS);
    expect(bench.run(eager)).toEqual(bench.run(eager));
    expect(bench.run(eager).requests.map(({ cuts }) => cuts.length)).toEqual([0, 0, 1, 0, 0, 1]);
  });
});

describe("a reasoning rule", () => {
  /** Anthropic's messages, with thinking in every step. */
  const step = (id: string) => [
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: `s-${id}` },
        { type: "tool_use", id, name: "read", input: { path: "src/pricing.ts" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: id, content: `what the file says, for ${id}\n`.repeat(400) },
      ],
    },
  ];
  const messages = [{ role: "user", content: "go" }, ...["a", "b", "c", "d"].flatMap(step)];
  const recording = {
    ...makeRecording([]),
    format: "anthropic-messages" as const,
    segments: [{ messages: [...messages, { role: "assistant", content: "done" }], meta: [], carried: 0 }],
  };
  const cutsUnder = (reasoning: "signed" | "bound", policy: ReplayPolicy) => {
    const prices = { "*": { write: 1, read: 1, ttl: 1, minimumPrefix: 0, reasoning } };
    const replay = prepareReplay(recording, { prices }).run(policy);
    return { cuts: replay.mechanisms.reduce((sum, { cuts }) => sum + cuts, 0), illegal: replay.illegal };
  };

  test("that binds reasoning to its prefix allows fewer cuts, and none that is refused", () => {
    const [signed, bound] = [cutsUnder("signed", coppicePolicy()), cutsUnder("bound", coppicePolicy())];
    expect([signed.illegal, bound.illegal]).toEqual([0, 0]);
    expect(signed.cuts).toBeGreaterThan(bound.cuts);
  });

  test("is one that simple rules break", () => {
    const clear: ReplayPolicy = {
      name: "clear",
      start: () => (all) =>
        all.length < 9
          ? all
          : all.with(2, { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "-" }] }),
    };
    expect(cutsUnder("signed", clear).illegal).toBe(0);
    expect(cutsUnder("bound", clear).illegal).toBeGreaterThan(0);
  });
});
