import { describe, expect, test } from "vitest";
import { profileFor } from "../../src/models/profile-for.ts";
import { charge, correctUncached, EMPTY_SIDE, priceRequest } from "../../src/schedule/bill.ts";
import { countUncached, effectivePrices, isKnown } from "../../src/schedule/cache-model.ts";
import { measureExcess, measurePressure } from "../../src/schedule/pressure.ts";
import type { CachedRequest } from "../../src/schedule/prompt-cache.ts";

const prices = { write: 1.25, read: 0.1, ttl: 300_000, minimumPrefix: 1_000 };

/** A request to a provider that caches every prefix. */
function request(total: number, kept?: number, time?: number): CachedRequest {
  const same = kept === undefined ? undefined : { blocks: 0, tokens: kept };
  return { model: "m", prices, time, kept: same, total, blocks: 0, marks: [] };
}

test("the price of a request: cached tokens at r, written tokens at w, tokens after the last mark at 1", () => {
  expect(priceRequest({ total: 3_000, cached: 2_000 }, prices)).toBe(2_000 * 0.1 + 1_000 * 1.25);
  const atMarks = { ...prices, marks: true } as const;
  expect(priceRequest({ total: 3_000, cached: 2_000, marked: 2_500 }, atMarks)).toBe(200 + 500 * 1.25 + 500);
});

test("the running sum: first write, growth, a cut, a cold cache, and a miss that is reported later", () => {
  const first = charge(EMPTY_SIDE, request(2_000, undefined, 0));
  expect(first.bill).toBe(2_500);
  const grown = charge(first, request(3_000, undefined, 1_000));
  expect(grown.bill).toBe(2_500 + 200 + 1_250);
  const cut = charge(grown, request(2_500, 1_500, 2_000));
  expect(cut.bill).toBe(grown.bill + 150 + 1_250);
  expect(cut.breaks).toBe(1);
  const cold = charge(cut, request(2_600, undefined, 900_000));
  expect(cold.bill).toBe(cut.bill + 3_250);
  expect(cold).toMatchObject({ breaks: 1, peak: 3_000, sent: 10_100 });
  expect(charge(cut, request(2_600, 1_200, 900_000)).breaks, "a cut in a cold cache breaks nothing").toBe(1);
  expect(correctUncached(grown, 0, prices).bill).toBe(2_500 + 3_000 * 1.25);
  expect(correctUncached(grown, 0.25, prices).bill).toBe(2_500 + 500 * 0.1 + 2_500 * 1.25);
});

describe("a note at the end of a request", () => {
  test("is paid for and sent, and the next request does not begin with it", () => {
    const first = charge(EMPTY_SIDE, request(2_000), 100);
    expect(first).toMatchObject({ bill: 2_500 + 125, sent: 2_100, peak: 2_100 });
    const next = charge(first, request(3_000));
    expect(next).toMatchObject({ bill: 2_625 + 200 + 1_250, sent: 5_100, peak: 3_000, breaks: 0 });
    const cut = charge(next, request(1_500, 1_500), 100);
    expect(cut.peak, "the largest request so far").toBe(3_000);
  });

  test("is plain input if the provider caches at marks: it follows the last mark", () => {
    const marks = [{ blocks: 9, tokens: 2_000 }];
    const marked = { ...request(2_000), blocks: 9, marks, prices: { ...prices, marks: true } as const };
    expect(charge(EMPTY_SIDE, marked, 100).bill).toBe(2_500 + 100);
  });
});

const model = profileFor("claude-sonnet-4-5");

test("ten responses with real figures and no cache read: no cache; one read: a cache again", () => {
  const miss = { input: 5_000, cacheRead: 0, cacheWrite: 0, output: 10 };
  let misses = 0;
  for (let i = 0; i < 9; i++) misses = countUncached(misses, miss);
  expect(effectivePrices(misses, model)).toEqual(model.cache);
  misses = countUncached(misses, miss);
  expect(effectivePrices(misses, model)).toMatchObject({ write: 1, read: 1 });
  expect(effectivePrices(countUncached(misses, { ...miss, cacheRead: 1 }), model)).toEqual(model.cache);
});

test.each([
  [5, 0, 0],
  [0, 5, 0],
  [0, 0, 5],
  [5, 5, 0],
  [0, 5, 5],
])("usage of %i + %i + %i input tokens is known", (input, cacheRead, cacheWrite) => {
  expect(isKnown({ input, cacheRead, cacheWrite, output: 1 })).toBe(true);
});

test("missing and all-zero usage mean unknown", () => {
  const zero = { input: 0, cacheRead: 0, cacheWrite: 0, output: 100 };
  expect(isKnown(undefined) || isKnown(zero)).toBe(false);
});

test.each([
  [49, "light"],
  [50, "moderate"],
  [75, "high"],
  [90, "high"],
  [91, "critical"],
])("%i %% of the window is %s", (used, level) => {
  expect(measurePressure(used, 100).level).toBe(level);
});

test("pressure begins above the threshold and ends at 0.8 of it", () => {
  expect(measureExcess(1_000, 1_000)).toBe(0);
  expect(measureExcess(1_001, 1_000)).toBe(201);
});
