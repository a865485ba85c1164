import { expect, test } from "vitest";
import { profileFor } from "../../src/models/profile-for.ts";
import { charge, chargeNote, correctMiss, EMPTY_SIDE, priceRequest } from "../../src/schedule/bill.ts";
import {
  EMPTY_CACHE,
  effectivePrices,
  isCold,
  isKnown,
  noteRequest,
  noteUsage,
} from "../../src/schedule/cache-model.ts";
import { measureExcess, measurePressure } from "../../src/schedule/pressure.ts";

const prices = { write: 1.25, read: 0.1, ttl: 300_000, minimumPrefix: 1_000 };

test("a request: the cached prefix at r, the rest at w, and no prefix below the minimum", () => {
  expect(priceRequest({ total: 3_000, cached: 2_000 }, prices)).toBe(2_000 * 0.1 + 1_000 * 1.25);
  expect(priceRequest({ total: 3_000, cached: 1_000 }, prices)).toBe(1_000 * 0.1 + 2_000 * 1.25);
  expect(priceRequest({ total: 3_000, cached: 999 }, prices)).toBe(3_000 * 1.25);
});

test("the running sum: first write, growth, a cut, a cold cache, and a miss that was reported later", () => {
  const first = charge(EMPTY_SIDE, 2_000, 0, true, prices);
  expect(first.bill).toBe(2_500);
  const grown = charge(first, 3_000, 2_000, false, prices);
  expect(grown.bill).toBe(2_500 + 200 + 1_250);
  const cut = charge(grown, 2_500, 1_500, false, prices);
  expect(cut.bill).toBe(grown.bill + 150 + 1_250);
  expect(cut.breaks).toBe(1);
  const cold = charge(cut, 2_600, 2_500, true, prices);
  expect(cold.bill).toBe(cut.bill + 3_250);
  expect(cold).toMatchObject({ breaks: 1, peak: 3_000, sent: 10_100 });
  expect(charge(cut, 2_600, 100, true, prices).breaks, "a cut in a cold cache breaks nothing").toBe(1);
  expect(correctMiss(grown, prices).bill).toBe(2_500 + 3_000 * 1.25);
});

test("a note behind a request is written and sent, and the next request does not begin with it", () => {
  const first = chargeNote(charge(EMPTY_SIDE, 2_000, 0, true, prices), 100, prices);
  expect(first).toMatchObject({ bill: 2_500 + 125, sent: 2_100, peak: 2_100 });
  const next = charge(first, 3_000, first.last.total, false, prices);
  expect(next).toMatchObject({ bill: 2_625 + 200 + 1_250, sent: 5_100, peak: 3_000, breaks: 0 });
  const cut = chargeNote(charge(next, 1_500, 1_500, false, prices), 100, prices);
  expect(cut.peak, "the largest request so far").toBe(3_000);
});

const model = profileFor("claude-sonnet-4-5");
const warm = { time: 1_000_000, model: model.id, misses: 0 };

test.each([
  ["nothing was sent yet", EMPTY_CACHE, 1_000_000, true],
  ["within the TTL", warm, 1_000_000 + model.cache.ttl, false],
  ["past it", warm, 1_000_001 + model.cache.ttl, true],
  ["another model", { ...warm, model: "gpt-5" }, 1_000_001, true],
  ["no times: warm", { ...warm, time: undefined }, 5, false],
  ["no time now: warm", warm, undefined, false],
])("cold cache: %s", (_, cache, time, expected) => {
  expect(isCold(cache, model, time)).toBe(expected);
});

test("a prefix that was sent again is as old as that", () => {
  const { ttl } = model.cache;
  expect(isCold(warm, model, warm.time + 2 * ttl, warm.time + ttl)).toBe(false);
  expect(isCold(warm, model, warm.time + 2 * ttl + 1, warm.time + ttl)).toBe(true);
  expect(isCold(warm, model, warm.time + ttl, warm.time - ttl), "before the last request").toBe(false);
});

test("a request without a time does not forget when the one before it was made", () => {
  const later = noteRequest(warm, model, undefined);
  expect(isCold(later, model, warm.time + model.cache.ttl)).toBe(false);
  expect(isCold(later, model, warm.time + model.cache.ttl + 1)).toBe(true);
});

test("ten responses with real figures and no cache read: no cache; one read: a cache again", () => {
  const miss = { input: 5_000, cacheRead: 0, cacheWrite: 0, output: 10 };
  let cache = warm;
  for (let i = 0; i < 9; i++) cache = noteUsage(cache, miss) as typeof warm;
  expect(effectivePrices(cache, model)).toEqual(model.cache);
  cache = noteUsage(cache, miss) as typeof warm;
  expect(effectivePrices(cache, model)).toMatchObject({ write: 1, read: 1 });
  expect(effectivePrices(noteUsage(cache, { ...miss, cacheRead: 1 }), model)).toEqual(model.cache);
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
  expect(noteUsage(warm, zero)).toBe(warm);
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
