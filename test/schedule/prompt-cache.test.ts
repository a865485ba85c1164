import { describe, expect, test } from "vitest";
import {
  type CachedRequest,
  findCached,
  NO_CACHE_YET,
  type PromptCache,
  sendThrough,
} from "../../src/schedule/prompt-cache.ts";

const prices = { write: 1.25, read: 0.1, ttl: 300_000, minimumPrefix: 1_000 };
const AT_MARKS = { ...prices, marks: true } as const;

/** A request with a prefix of 1,000 tokens and blocks of 100 each, and marks after these blocks. */
function request(blocks: number, marks: readonly number[], more: Partial<CachedRequest> = {}): CachedRequest {
  const place = (at: number) => ({ blocks: at, tokens: 1_000 + 100 * at });
  return {
    model: "m",
    prices: AT_MARKS,
    time: undefined,
    kept: undefined,
    total: 1_000 + 100 * blocks,
    blocks,
    marks: marks.map(place),
    ...more,
  };
}

/** The tokens that the last of these requests reads. */
function readLast(...requests: readonly CachedRequest[]): number {
  let cache: PromptCache = NO_CACHE_YET;
  let read = 0;
  for (const each of requests) ({ cache, read } = sendThrough(cache, each));
  return read;
}

const kept = (blocks: number) => ({ kept: { blocks, tokens: 1_000 + 100 * blocks } });

describe("a provider that caches at marks", () => {
  test.each<[string, readonly CachedRequest[], number]>([
    ["nothing yet", [request(10, [0, 10])], 0],
    ["the previous request, up to its last mark", [request(10, [0, 10]), request(12, [0, 12])], 2_000],
    ["no further than its mark", [request(10, [0, 8]), request(12, [0, 12])], 1_800],
    ["nothing without marks", [request(10, []), request(12, [0, 12])], 0],
    ["19 blocks back", [request(10, [0, 10]), request(29, [0, 29])], 2_000],
    ["not 20 blocks back: only the entry at the mark", [request(10, [0, 10]), request(30, [0, 30])], 1_000],
    ["further back with one more mark", [request(10, [0, 10]), request(50, [0, 10, 50])], 2_000],
    // The entry of the newest request is invalid, the one before it is not.
    [
      "the entry before a cut in the newest input",
      [request(10, [0, 10]), request(12, [0, 12]), request(14, [0, 14], kept(11))],
      2_000,
    ],
    [
      "only one entry, one step after a deep cut",
      [request(10, [0, 10]), request(12, [0, 12], kept(3)), request(14, [0, 14], kept(11))],
      1_000,
    ],
    ["not even the prefix if that has changed", [request(10, [0, 10]), request(10, [0, 10], kept(-1))], 0],
    ["another model's", [request(10, [0, 10]), request(12, [0, 12], { model: "other" })], 0],
  ])("reads %s", (_, requests, read) => {
    expect(readLast(...requests)).toBe(read);
  });

  test("an entry lives for its TTL after its last use, or for the TTL that its mark requests", () => {
    const send = (time: number, ttl?: number) => ({
      ...request(10, [], { time }),
      marks: [{ blocks: 10, tokens: 2_000, ...(ttl !== undefined && { ttl }) }],
    });
    expect(readLast(send(0), send(300_000))).toBe(2_000);
    expect(readLast(send(0), send(300_001))).toBe(0);
    expect(readLast(send(0), send(200_000), send(500_000))).toBe(2_000);
    expect(readLast(send(0, 3_600_000), send(3_600_000))).toBe(2_000);
  });

  test("an entry that was only read lives on too", () => {
    const first = request(10, [10], { time: 0 });
    const later = (time: number) => request(12, [12], { time, ...kept(10) });
    expect(readLast(first, later(200_000), request(12, [12], { time: 450_000, ...kept(11) }))).toBe(2_000);
  });

  test("a request without a time is as old as the previous one, and a request that was sent again is young", () => {
    const at = (time: number | undefined, warmedAt?: number) => request(10, [10], { time, warmedAt });
    expect(readLast(at(0), at(undefined), at(300_001))).toBe(0);
    expect(readLast(at(0), at(undefined), at(300_000))).toBe(2_000);
    expect(readLast(at(0), at(600_000, 300_000))).toBe(2_000);
  });

  test("text after the last mark is plain input", () => {
    expect(sendThrough(NO_CACHE_YET, request(10, [0, 8]))).toMatchObject({ read: 0, marked: 1_800 });
  });

  test("reports the cost of a change", () => {
    const { cache } = sendThrough(NO_CACHE_YET, request(10, [0, 10]));
    expect(sendThrough(cache, request(12, [0, 12], kept(3)))).toMatchObject({
      read: 1_000,
      unchanged: 2_000,
    });
  });

  test("keeps a bounded number of entries, the first among them", () => {
    let cache: PromptCache = NO_CACHE_YET;
    for (let blocks = 1; blocks <= 500; blocks++)
      ({ cache } = sendThrough(cache, request(blocks, [0, blocks])));
    expect(cache.entries.length).toBeLessThanOrEqual(64);
    expect(cache.entries[0]?.blocks).toBe(0);
    expect(cache.entries.at(-1)?.blocks).toBe(500);
  });
});

describe("a provider that caches every prefix", () => {
  const plain = (blocks: number, more: Partial<CachedRequest> = {}) =>
    request(blocks, [], { prices: { ...prices, unit: 128 }, ...more });
  test.each<[string, readonly CachedRequest[], number]>([
    ["the whole previous request, in whole units", [plain(10), plain(12)], 15 * 128],
    ["what is left of it", [plain(10), plain(12, kept(3))], 10 * 128],
    ["nothing below the minimum", [plain(10), plain(12, { kept: { blocks: 0, tokens: 999 } })], 0],
    ["the answer too", [plain(10), plain(14, { answer: { blocks: 2, tokens: 200 } })], 17 * 128],
  ])("reads %s", (_, requests, read) => {
    expect(readLast(...requests)).toBe(read);
  });
});

test("an automatic prefix may live an hour", () => {
  const { cache } = sendThrough(NO_CACHE_YET, request(10, [], { prices, time: 0 }));
  const find = (time: number) =>
    findCached(cache, { model: "m", prices, time, kept: undefined, marks: [], mayMark: false }).tokens;
  expect([find(3_600_000), find(3_600_001)]).toEqual([2_000, 0]);
});

describe("text that a cut could throw away", () => {
  const { cache } = sendThrough(sendThrough(NO_CACHE_YET, request(10, [0, 10], { time: 0 })).cache, {
    ...request(40, [0, 40], { time: 1_000 }),
  });
  const find = (time: number, mayMark: boolean) =>
    findCached(cache, {
      model: "m",
      prices: AT_MARKS,
      time,
      kept: undefined,
      marks: [{ blocks: 42 }],
      mayMark,
    });
  const places = (time: number, mayMark: boolean) => find(time, mayMark).entries?.map(({ blocks }) => blocks);

  test("is the text that the client's marks reach, or any entry if one more mark may be set", () => {
    expect(find(2_000, false)).toMatchObject({ blocks: 40, tokens: 5_000 });
    expect(places(2_000, false)).toEqual([40]);
    expect(places(2_000, true)).toEqual([0, 10, 40]);
  });

  test("an entry that has just expired may still be there: it can be lost, but a cut does not rely on it", () => {
    expect(find(340_000, true)).toMatchObject({ blocks: 40, entries: [] });
    expect(find(360_500, true)).toMatchObject({ blocks: 40, entries: [] });
    expect(find(370_000, true)).toMatchObject({ blocks: 0, tokens: 0, entries: [] });
  });
});
