import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CachePrices } from "../../src/models/profile.ts";
import { nextPing, PING_BUDGET, pricePing, type WarmPrefix } from "../../src/schedule/keep-warm.ts";

const MINUTE = 60_000;
const PRICES: CachePrices = { write: 1.25, read: 0.1, ttl: 5 * MINUTE, minimumPrefix: 1_024 };
const PREFIX: WarmPrefix = { tokens: 100_000, usedAt: 0, pings: 0, prices: PRICES };

/** The times of all pings in a pause that does not end. */
function pingsOf(prefix: WarmPrefix): readonly number[] {
  const times: number[] = [];
  let usedAt = prefix.usedAt;
  for (;;) {
    const ping = nextPing({ ...prefix, usedAt, pings: times.length });
    if (!ping) return times;
    usedAt = ping.at;
    times.push(ping.at);
  }
}

test("a ping is sent shortly before the cache expires, again and again while it pays", () => {
  expect(nextPing(PREFIX)).toEqual({ at: 4.5 * MINUTE, until: 5 * MINUTE });
  expect(pingsOf(PREFIX)).toEqual([4.5 * MINUTE, 9 * MINUTE]);
  // (1.25 - 0.1) / 0.1 = 11.5
  expect(pingsOf({ ...PREFIX, budget: 1 })).toHaveLength(11);
  expect(nextPing({ ...PREFIX, usedAt: 7 })?.at).toBe(4.5 * MINUTE + 7);
});

test("half a minute before the end of a long TTL, a tenth before the end of a short one", () => {
  const at = (ttl: number) => nextPing({ ...PREFIX, prices: { ...PRICES, ttl } })?.at;
  expect(at(60 * MINUTE)).toBe(59.5 * MINUTE);
  expect(at(10_000)).toBe(9_000);
});

describe("never", () => {
  test.each<[string, Partial<WarmPrefix>]>([
    ["without a cache", { prices: { ...PRICES, write: 1, read: 1 } }],
    ["if reading costs a fifth of writing", { prices: { ...PRICES, write: 1, read: 0.2 } }],
    ["for a prefix that is not cached", { tokens: 1_023 }],
    ["without a budget", { budget: 0 }],
    ["for nothing", { tokens: 0, prices: { ...PRICES, minimumPrefix: 0 } }],
  ])("%s", (_, changed) => {
    expect(nextPing({ ...PREFIX, ...changed })).toBeUndefined();
  });
});

test("the pings of a pause cost no more than their budget, one more would, and none is too late", () => {
  const share = fc.double({ min: 0, max: 2, noNaN: true });
  fc.assert(
    fc.property(
      fc.record({ write: share, read: fc.double({ min: 0.01, max: 1, noNaN: true }) }),
      fc.integer({ min: 1, max: 7_200_000 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (ratios, ttl, tokens, budget) => {
        const prices = { ...PRICES, ...ratios, ttl };
        const times = pingsOf({ ...PREFIX, tokens, prices, budget });
        const limit = budget * (prices.write - prices.read) * tokens;
        const price = pricePing(tokens, prices);
        expect(times.length * price).toBeLessThanOrEqual(Math.max(0, limit));
        if (tokens >= prices.minimumPrefix) expect((times.length + 1) * price).toBeGreaterThan(limit);
        for (const [i, at] of times.entries()) {
          const before = times[i - 1] ?? 0;
          expect(at).toBeGreaterThan(before);
          expect(at).toBeLessThan(before + ttl);
        }
      },
    ),
  );
});

test("the default budget is the one with figures in the docs", () => {
  expect(PING_BUDGET).toBe(0.2);
});
