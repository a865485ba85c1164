import { describe, expect, test } from "vitest";
import { profileFor } from "../../src/models/profile-for.ts";
import { Account, type BilledRequest, type SideRequest } from "../../src/schedule/account.ts";
import { UndoLog } from "../../src/transcript/undo-log.ts";

const { marks: _, ...prices } = profileFor("claude-sonnet-4-5").cache;
/** Every prefix is cached, so unchanged text is read from the cache. */
const profile = { ...profileFor("claude-sonnet-4-5"), cache: prices };

/** The sizes of a request, in tokens; a block has 100. */
interface Sizes {
  readonly with?: number;
  readonly without?: number;
  readonly uncut?: number;
  /** Tokens that the previous request had too. */
  readonly kept?: number;
  readonly note?: number;
  readonly time?: number;
}

function toBilled({ kept, note = 0, time, ...sizes }: Sizes): BilledRequest {
  const side = (total = 10_000, same?: number): SideRequest => ({
    total,
    blocks: total / 100,
    kept: same === undefined ? undefined : { blocks: same / 100, tokens: same },
    marks: [],
  });
  return {
    with: side(sizes.with, kept),
    without: side(sizes.without),
    uncut: side(sizes.uncut),
    ...{ note, prices, profile, time },
  };
}

/** An account after these requests. */
function keep(...requests: readonly Sizes[]): Account {
  const account = new Account(new UndoLog());
  for (const sizes of requests) account.bill(toBilled(sizes));
  return account;
}

const reportedAs = (cut: boolean) => ({ profile, cut, prefix: 1_000, window: 200_000 });

/** One figure alone is not believed. */
const noteTwice = (account: Account, ...given: Parameters<Account["noteUsage"]>) => {
  account.noteUsage(...given);
  account.noteUsage(...given);
};

const usage = (input: number, cacheRead: number, cacheWrite: number) => ({
  input,
  cacheRead,
  cacheWrite,
  output: 1,
});

describe("usage that the provider reports", () => {
  test.each([
    ["plain input", usage(12_000, 0, 0)],
    ["read from the cache", usage(0, 12_000, 0)],
    ["written to it", usage(0, 0, 12_000)],
    ["some of each", usage(2_000, 7_000, 3_000)],
  ])("the whole input counts: %s", (_, reported) => {
    const account = keep({});
    account.noteUsage(reported, reportedAs(false));
    expect(account.predict(10_000)).toBe(10_000);
    expect(account.windowOf(11_000)).toBe(11_000);
    account.noteUsage(reported, reportedAs(false));
    expect(account.predict(10_000)).toBe(12_000);
    expect(account.windowOf(11_000)).toBe(12_000);
  });

  test("the count includes the note at the end of the request", () => {
    const account = keep({ note: 500 });
    noteTwice(account, usage(12_000, 0, 0), reportedAs(false));
    expect(account.predict(10_500)).toBe(12_000);
  });

  test("after tools were added, the new count is used once a second figure confirms it", () => {
    const account = keep();
    const told = [12_000, 13_500, 35_000, 36_500, 38_000].map((counted, i) => {
      const size = 10_000 + 1_500 * i;
      account.bill(toBilled({ with: size, without: size, uncut: size }));
      account.noteUsage(usage(0, counted, 0), reportedAs(false));
      return account.predict(size);
    });
    // The third may be wrong; the fourth confirms it.
    expect(told).toEqual([10_000, 13_500, 15_000, 36_500, 38_000]);
  });

  test("the usage of a cut request proves a window, but does not calibrate the estimate", () => {
    const account = keep({});
    noteTwice(account, usage(12_000, 0, 0), reportedAs(true));
    expect(account.predict(10_000)).toBe(10_000);
    expect(account.windowOf(11_000)).toBe(12_000);
  });

  test("before the first request it is ignored", () => {
    const account = keep();
    for (let i = 0; i < 12; i++) account.noteUsage(usage(12_000, 0, 0), reportedAs(false));
    expect(account.predict(10_000)).toBe(10_000);
    expect(account.windowOf(11_000)).toBe(11_000);
    expect(account.pricesFor(profile)).toEqual(prices);
  });

  test("a hit does not change the bill; after a miss the whole request is written", () => {
    const warm = 1.25 * 10_000 + 0.1 * 10_000;
    const hit = keep({}, {});
    hit.noteUsage(usage(0, 10_000, 0), reportedAs(false));
    expect([hit.with.bill, hit.without.bill]).toEqual([warm, warm]);
    const miss = keep({}, {});
    miss.noteUsage(usage(0, 0, 10_000), reportedAs(false));
    expect([miss.with.bill, miss.without.bill]).toEqual([2 * 12_500, 2 * 12_500]);
    expect(miss.allowance).toBeCloseTo(0.01 * 2 * 12_500, 6);
  });
});

test("a cache that outlives its TTL is billed as a hit without Coppice too", () => {
  const late = keep({ time: 0 }, { time: 5_000_000 });
  expect([late.with.bill, late.without.bill]).toEqual([25_000, 25_000]);
  late.noteUsage(usage(0, 10_000, 0), reportedAs(false));
  expect([late.with.bill, late.without.bill]).toEqual([13_500, 13_500]);
  const find = (time: number) =>
    late.findCached({
      ...{ model: profile.plainId, prices, time, kept: undefined, marks: [], mayMark: false },
    }).tokens;
  expect([find(10_000_000), find(10_000_001)], "from then on it is expected to live this long").toEqual([
    10_000, 0,
  ]);
  const gone = keep({ time: 0 }, { time: 1_000_000 });
  gone.noteUsage(usage(0, 1_000, 9_000), reportedAs(false));
  expect(gone.without.bill).toBe(25_000);
});

test("behind: by more than the price of rewriting this many tokens", () => {
  const account = keep({ with: 20_000 });
  // 12,500 behind; a rewrite costs 1.15 a token.
  expect(account.isBehind(10_869, prices)).toBe(true);
  expect(account.isBehind(10_870, prices)).toBe(false);
});

test("the allowance is a hundredth of the bill plus the savings; Coppice's own tools do not reduce it", () => {
  expect(keep({}).allowance).toBeCloseTo(0.01 * 12_500, 6);
  expect(keep({ uncut: 14_000, with: 12_000 }).allowance).toBeCloseTo(1.01 * 17_500 - 15_000, 6);
  const noted = keep({ note: 100 });
  expect(noted.allowance).toBeCloseTo(0.01 * (12_500 + 125), 6);
});

test("everything can be undone", () => {
  const undoLog = new UndoLog();
  const account = new Account(undoLog);
  const look = () => [
    account.with,
    account.without,
    account.rentClock,
    account.calibration,
    account.allowance,
    account.windowOf(1),
    account.pricesFor(profile),
    account.findCached({
      ...{ model: profile.plainId, prices, time: 1_000_000, kept: undefined },
      ...{ marks: [], mayMark: false },
    }),
  ];
  const bill = (total: number, time: number) =>
    account.bill(
      toBilled({ with: total, without: 2 * total, uncut: 2 * total, kept: 5_000, note: 10, time }),
    );
  bill(9_000, 1_000);
  for (let i = 0; i < 9; i++) account.noteUsage(usage(12_000, 0, 0), reportedAs(false));
  const before = look();
  const mark = undoLog.mark();
  bill(18_000, 900_000);
  noteTwice(account, usage(24_000, 0, 0), reportedAs(false));
  for (const [i, value] of look().entries()) expect(value, `figure ${i}`).not.toEqual(before[i]);
  undoLog.rollback(mark);
  expect(look()).toEqual(before);
});

describe("after a cut, the cache before it", () => {
  const cut = { with: 9_000, kept: 6_000 };
  test.each<[string, readonly Sizes[], number, number]>([
    ["was there", [{}, cut], 6_000, 0],
    ["was there, in a different count", [{}, cut], 3_100, 0],
    ["was gone", [{}, cut], 0, 1 / 5],
    ["was gone, but nothing had been cut", [{}, {}], 0, 0],
    ["was gone, but had expired", [{ time: 0 }, { ...cut, time: 1_000_000 }], 0, 0],
  ])("%s", (_, requests, cacheRead, share) => {
    const account = keep(...requests);
    account.noteUsage(usage(9_000 - cacheRead, cacheRead, 0), reportedAs(true));
    expect(account.missShare).toBe(share);
  });

  test("a loss counts once for each cut, and less after cuts without a loss", () => {
    const account = keep({}, cut);
    noteTwice(account, usage(9_000, 0, 0), reportedAs(true));
    expect(account.missShare).toBe(1 / 5);
    account.bill(toBilled({ ...cut, kept: 6_000, with: 8_000 }));
    account.noteUsage(usage(3_000, 6_000, 0), reportedAs(true));
    expect(account.missShare).toBe(1 / 6);
  });
});
