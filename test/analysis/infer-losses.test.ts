import { describe, expect, test } from "vitest";
import { addCaches } from "../../src/analysis/cache-figures.ts";
import { inferLosses, type RecordedEntry } from "../../src/analysis/infer-losses.ts";
import { profileFor } from "../../src/models/profile-for.ts";
import type { Usage } from "../../src/transcript/message.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 18);
const [PRICE, READ, WRITE, LONG] = [3 / 1e6, 0.1, 1.25, 2];

const usage = (cacheRead: number, cacheWrite: number, more: Partial<Usage> = {}): Usage => ({
  input: 0,
  cacheRead,
  cacheWrite,
  output: 10,
  ...more,
});
const entry = (minutes: number, tokens: Usage, more: Partial<RecordedEntry> = {}): RecordedEntry => ({
  time: START + minutes * MINUTE,
  model: "claude-sonnet-4-5",
  tokens,
  estimated: { input: false, output: false },
  ...more,
});
const infer = (entries: readonly RecordedEntry[], segments = entries.map(() => 0)) =>
  inferLosses(entries, segments, (model) => profileFor(model));

const FIRST = entry(0, usage(0, 30_000));
const LOST = usage(0, 31_000);

describe("causes are inferred", () => {
  test.each<[string, RecordedEntry, RecordedEntry, readonly number[]]>([
    ["within the cache's life", FIRST, entry(4, LOST), [0, 0]],
    ["a pause longer than the cache lives", FIRST, entry(6, LOST), [0, 0]],
    ["a pause over an hour", FIRST, entry(61, LOST), [0, 0]],
    ["another model", FIRST, entry(6, LOST, { model: "claude-opus-4-5" }), [0, 0]],
    ["a compaction", FIRST, entry(6, LOST), [0, 1]],
    ["within the cache's life", entry(0, usage(0, 30_000, { longWrite: 30_000 })), entry(6, LOST), [0, 0]],
  ])("%s", (cause, before, now, segments) => {
    const [first, second] = infer([before, now], [...segments]);
    expect(first?.loss).toBeUndefined();
    expect(second?.loss).toMatchObject({ cause, tokens: 30_000 });
  });

  test("with the extra cost of lost text", () => {
    const [, second] = infer([FIRST, entry(6, LOST)]);
    expect(second?.loss?.dollars).toBeCloseTo(30_000 * (WRITE - READ) * PRICE, 10);
    const long = usage(0, 31_000, { longWrite: 31_000 });
    const [, dear] = infer([FIRST, entry(6, long)]);
    expect(dear?.loss?.dollars).toBeCloseTo(30_000 * (LONG - READ) * PRICE, 10);
  });

  test.each<[boolean, string, string, readonly number[]]>([
    [true, "gpt-5", "gpt-5", [0, 0]],
    [false, "gpt-5", "gpt-5.1", [0, 0]],
    [false, "gpt-5", "gpt-5", [0, 1]],
    [false, "claude-sonnet-4-5", "claude-sonnet-4-5", [0, 0]],
    [false, "gemini-2.5-pro", "gemini-2.5-pro", [0, 0]],
  ])(
    "a key for the prefix might have kept it: %s, from %s to %s, segments %j",
    (isKeyed, then, now, segments) => {
      const cached = usage(20_000, 0, { input: 10_000 });
      const lost = usage(0, 0, { input: 31_000 });
      const outcomes = infer(
        [entry(0, cached, { model: then }), entry(40, lost, { model: now })],
        [...segments],
      );
      expect(outcomes[1]?.loss).toMatchObject({ isKeyed });
    },
  );

  test("reports that times are missing", () => {
    const { time: _, ...timeless } = entry(0, LOST);
    expect(infer([FIRST, timeless])[1]?.loss?.cause).toBe("no times recorded");
  });

  test("nothing is lost if the text was read, little was rewritten, nothing was cached or the usage is unknown", () => {
    for (const [before, now] of [
      [FIRST, entry(1, usage(30_000, 1_000))],
      [FIRST, entry(1, usage(25_000, 6_000))],
      [entry(0, usage(0, 0, { input: 30_000 })), entry(1, usage(0, 0, { input: 31_000 }))],
      [FIRST, entry(1, LOST, { estimated: { input: true, output: true } })],
    ] as const)
      expect(infer([before, now])[1]?.loss).toBeUndefined();
  });
});

describe("the cost of caches with either lifetime", () => {
  const costOf = (read: number, written: number, write: number) => (read * READ + written * write) * PRICE;
  const sum = (entries: readonly RecordedEntry[]) => {
    const all = infer(entries).map(({ lives }) => lives);
    return {
      short: all.reduce((total, each) => total + (each?.short ?? 0), 0),
      long: all.reduce((total, each) => total + (each?.long ?? 0), 0),
    };
  };

  test("a pause of ten minutes is read again from the longer one", () => {
    const { short, long } = sum([FIRST, entry(10, LOST)]);
    expect(short).toBeCloseTo(costOf(0, 61_000, WRITE), 10);
    expect(long).toBeCloseTo(costOf(30_000, 31_000, LONG), 10);
  });

  test("and would have been lost with the shorter one, if an hour was requested", () => {
    const { short, long } = sum([
      entry(0, usage(0, 30_000, { longWrite: 30_000 })),
      entry(10, usage(30_000, 1_000, { longWrite: 1_000 })),
    ]);
    expect(short).toBeCloseTo(costOf(0, 61_000, WRITE), 10);
    expect(long).toBeCloseTo(costOf(30_000, 31_000, LONG), 10);
  });

  test("without pauses the longer one only costs more to write", () => {
    const { short, long } = sum([FIRST, entry(1, usage(30_000, 1_000))]);
    expect(short).toBeCloseTo(costOf(30_000, 31_000, WRITE), 10);
    expect(long).toBeCloseTo(costOf(30_000, 31_000, LONG), 10);
  });

  test("after more than an hour both are lost", () => {
    const { short, long } = sum([FIRST, entry(90, LOST)]);
    expect(short).toBeCloseTo(costOf(0, 61_000, WRITE), 10);
    expect(long).toBeCloseTo(costOf(0, 61_000, LONG), 10);
  });

  test("models with only one lifetime are left out", () => {
    expect(
      infer([entry(0, usage(1_000, 0, { input: 9_000 }), { model: "gpt-5" })])[0]?.lives,
    ).toBeUndefined();
  });
});

test("figures of several days are added up by cause, the most expensive first", () => {
  const lives = { requests: 2, wantLong: 1, short: 1, long: 2 };
  const loss = (dollars: number) => ({ count: 1, tokens: 10, dollars });
  expect(
    addCaches([
      { losses: [{ cause: "another model", ...loss(1) }], lives, keyed: 1 },
      {
        losses: [
          { cause: "another model", ...loss(2) },
          { cause: "a compaction", ...loss(4) },
        ],
        lives,
        keyed: 2,
      },
    ]),
  ).toEqual({
    losses: [
      { cause: "a compaction", count: 1, tokens: 10, dollars: 4 },
      { cause: "another model", count: 2, tokens: 20, dollars: 3 },
    ],
    lives: { requests: 4, wantLong: 2, short: 2, long: 4 },
    keyed: 3,
  });
});
