import { describe, expect, test } from "vitest";
import type { Timing } from "../../src/edits/cut-plan.ts";
import type { WorkState } from "../../src/facts/task-files.ts";
import type { Risk } from "../../src/risk/risk.ts";
import { type Claim, chooseCut, listReady, type Weights } from "../../src/schedule/choose-cut.ts";
import { priceRisk } from "../../src/schedule/price-risk.ts";
import type { Ref } from "../../src/transcript/refs.ts";

const prices = { write: 1.25, read: 0.1, ttl: 300_000, minimumPrefix: 0 };

/** Ten parts of 100 tokens; all but the last were sent. */
const weights: Weights = {
  mode: "rent-or-buy",
  prices,
  cached: { blocks: 9, tokens: 900 },
  allowance: 1_000,
  shown: Array.from({ length: 10 }, () => 100),
  unsentFrom: 9,
  rentClock: 1,
  lastRequest: 1_000,
  step: 10,
  regretOf: () => 0,
  missShare: 0,
  requestedLimit: 0,
};

/** None of the messages is cached. */
const COLD = { blocks: 0, tokens: 0 };

function claim(at: number, saves: number, requests = 0, requested = false): Claim {
  const price = { ref: "a1b2c3" as Ref, saves, since: 1 - requests * prices.read };
  return { part: at, price, author: "spent-results", ...(requested && { requested }) };
}

describe("rent or buy", () => {
  test.each<[string, readonly Claim[], ReturnType<typeof chooseCut>]>([
    ["nothing waits", [], undefined],
    // Part 8 keeps 50 tokens and nothing sent follows: (1.25 - 0.1) * 50 = 57.5; rent 0.1 * 50 a request, and 4 to come.
    ["rent 35 + 20 < 57.5", [claim(8, 50, 7)], undefined],
    ["rent 40 + 20 >= 57.5", [claim(8, 50, 8)], { from: 8, reason: "rent-paid" }],
    [
      "a cut that pays within four requests is made at once",
      [claim(8, 90)],
      { from: 8, reason: "rent-paid" },
    ],
    // Part 4: 10 + 400 tokens follow: 471.5; 52 requests pay 468, 53 pay 477; of these 4 to come.
    ["far from the end it waits longer", [claim(4, 90, 48)], undefined],
    ["until it is paid", [claim(4, 90, 49)], { from: 4, reason: "rent-paid" }],
    // Together: 10 + 10 tokens of their own and 300 between: rent of both counts at the earlier point.
    [
      "claims at or after a point pay together",
      [claim(4, 90, 30), claim(8, 90, 40)],
      { from: 4, reason: "rent-paid" },
    ],
    [
      "the earliest paid point is taken",
      [claim(2, 90, 100), claim(8, 90, 2)],
      { from: 2, reason: "rent-paid" },
    ],
    ["text that was never sent costs nothing", [claim(9, 50)], { from: 9, reason: "never-sent" }],
  ])("%s", (_, claims, expected) => {
    expect(chooseCut(claims, weights)).toEqual(expected);
  });
});

describe("a claim that only rides along", () => {
  const rides = (each: Claim): Claim => ({ ...each, rides: true });

  test("never causes a cut, however long it waits, and does not help to pay for one", () => {
    expect(chooseCut([rides(claim(8, 90, 1_000))], weights)).toBeUndefined();
    expect(chooseCut([rides(claim(4, 90, 30)), claim(8, 50, 7)], weights)).toBeUndefined();
  });

  test("is cut if that costs nothing", () => {
    expect(chooseCut([rides(claim(9, 50))], weights)).toEqual({ from: 9, reason: "never-sent" });
    expect(chooseCut([rides(claim(1, 50))], { ...weights, cached: COLD })?.reason).toBe("cold-cache");
  });
});

describe("without waiting", () => {
  const early = [claim(1, 50)];
  test.each<[string, Partial<Weights>, ReturnType<typeof chooseCut>]>([
    ["cold cache", { cached: COLD }, { from: 0, reason: "cold-cache" }],
    ["no caching", { prices: { ...prices, write: 1, read: 1 } }, { from: 0, reason: "no-cache" }],
    ["eager", { mode: "eager" }, { from: 0, reason: "eager" }],
    ["pressure mode waits even for a cold cache", { mode: "pressure", cached: COLD }, undefined],
    ["nothing of this", {}, undefined],
  ])("%s", (_, change, expected) => {
    expect(chooseCut(early, { ...weights, ...change })).toEqual(expected);
  });

  test.each<[Timing | undefined, requestedLimit: number, expected: object | undefined]>([
    ["now", 0, { from: 7, reason: "requested" }],
    ["later", 1_000_000, undefined],
    [undefined, 0, undefined],
    [undefined, 1_000_000, { from: 7, reason: "requested" }],
  ])("the agent was promised %s, and the limit is %i", (timing, requestedLimit, expected) => {
    const claims = { ...claim(7, 50, 0, true), ...(timing && { timing: timing }) };
    expect(chooseCut([claims], { ...weights, requestedLimit })).toEqual(expected);
  });

  test("a requested cut is made at once if the rewrite is cheap, and waits otherwise", () => {
    const claims = [claim(7, 50, 0, true)];
    const cost = 1.15 * 150;
    expect(chooseCut(claims, { ...weights, requestedLimit: cost })).toEqual({ from: 7, reason: "requested" });
    expect(chooseCut(claims, { ...weights, requestedLimit: cost - 1 })).toBeUndefined();
  });

  test("above the allowance only free cuts are made", () => {
    const both = [claim(4, 90, 500), claim(9, 50)];
    // 471.5 to rewrite, of which this request, 90 tokens smaller, saves 9 at once.
    expect(chooseCut(both, { ...weights, allowance: 463 })).toEqual({ from: 4, reason: "rent-paid" });
    expect(chooseCut(both, { ...weights, allowance: 462 })).toEqual({ from: 9, reason: "never-sent" });
    expect(chooseCut(both, { ...weights, allowance: 0, cached: COLD })?.reason).toBe("cold-cache");
  });

  test("a later point within the allowance is chosen instead", () => {
    const both = [claim(4, 90, 500), claim(8, 90)];
    expect(chooseCut(both, { ...weights, allowance: 12 })).toEqual({ from: 8, reason: "rent-paid" });
  });
});

describe("text that may be needed again", () => {
  const risk: Risk = { kind: "view", tokens: 1_000, step: 9, names: 0.5, edits: 0.2 };
  const risky = (saves: number, requests = 0): Claim => ({ ...claim(8, saves, requests), risk });

  test("has a chance, and a price: a request with the view, 500 for the output, the text written and carried", () => {
    const chance = 1 - Math.exp(-0.7);
    const priced = priceRisk(risky(90), weights);
    expect(priced).toMatchObject({ kind: "view", tokens: 1_000, age: 1 });
    expect(priced?.chance).toBeCloseTo(chance, 9);
    expect(priced?.price).toBeCloseTo(chance * (0.1 * 1_000 + 500 + 1_000 * (1.25 + 10 * 0.1)), 6);
    expect(priceRisk(claim(8, 90), weights)).toBeUndefined();
  });

  test("a line of a view that is edited next costs more, depending on the state of its file", () => {
    const price = (work: WorkState) =>
      priceRisk({ ...claim(8, 90), risk: { ...risk, names: 0, work: () => work } }, weights)?.price ?? 0;
    const planned = 1 - Math.exp(-0.2 * 2.3);
    expect(price("planned")).toBeCloseTo(40 * planned * (0.1 * 1_000 + 500 + 1_000 * (1.25 + 10 * 0.1)), 6);
    const order = (["planned", "mentioned", "changing", "unnamed", "resting", "left"] as const).map(price);
    expect(order).toEqual(order.toSorted((a, b) => b - a));
    const search = priceRisk({ ...claim(8, 90), risk: { ...risk, names: 0, kind: "search" } }, weights);
    expect(search?.price).toBeCloseTo((15 / 40) * price("planned") * ((1 - Math.exp(-0.2)) / planned), 6);
  });

  test("costs less with age", () => {
    const chances = [10, 12, 20, 60, 500].map(
      (step) => priceRisk(risky(90), { ...weights, step })?.chance ?? 1,
    );
    expect(chances).toEqual(chances.toSorted((a, b) => b - a));
    expect(chances[4]).toBeLessThan(0.05);
  });

  test("costs more if such cuts were fetched again in this session", () => {
    const regretted = { ...weights, regretOf: () => 0.9 };
    const priced = priceRisk(risky(90), regretted);
    expect(priced).toMatchObject({ regret: 0.9 });
    expect(priced?.chance).toBeCloseTo(1 - 0.1 * Math.exp(-0.7), 9);
    expect(priceRisk(claim(8, 90), regretted)).toMatchObject({ chance: 0.9 });
    expect(chooseCut([claim(8, 90)], weights)).toEqual({ from: 8, reason: "rent-paid" });
    expect(chooseCut([claim(8, 90)], regretted)).toBeUndefined();
  });

  // 1,434 at risk; the rent of 80 requests to come is 8 times what it saves.
  test("waits until its long-run rent covers the risk", () => {
    expect(listReady([risky(90)], weights)).toEqual([]);
    expect(listReady([risky(90, 80)], weights)).toHaveLength(1);
    expect(listReady([risky(90)], { ...weights, step: 60 })).toHaveLength(1);
    expect(listReady([{ ...risky(90), requested: true }], weights)).toHaveLength(1);
    expect(listReady([risky(90)], { ...weights, mode: "eager" })).toHaveLength(1);
  });

  test("lowers its rent by the risk", () => {
    // 90 saved: rent 36 for 11.5 to rewrite. With the risk 36 * (1 - price / rent of the long run) is left of it.
    const cheap = { ...claim(8, 90), risk: { ...risk, names: 0.1, edits: 0 } };
    const dear = { ...claim(8, 90), risk: { ...risk, names: 0.25, edits: 0 } };
    expect(chooseCut([cheap], weights)).toEqual({ from: 8, reason: "rent-paid" });
    expect(listReady([dear], weights)).toHaveLength(1);
    expect(chooseCut([dear], weights)).toBeUndefined();
  });
});

test("if the cache was lost after cuts, the tokens before the cut count in proportion", () => {
  // 400 + 10 tokens follow part 4, 590 are before it: 471.5 to rewrite, and 678.5 for those before it.
  const waiting = [claim(4, 90, 60)];
  expect(chooseCut(waiting, weights)).toEqual({ from: 4, reason: "rent-paid" });
  expect(chooseCut(waiting, { ...weights, missShare: 0.1 })).toEqual({ from: 4, reason: "rent-paid" });
  expect(chooseCut(waiting, { ...weights, missShare: 0.2 })).toBeUndefined();
});

describe("exactly at the limit", () => {
  /** Prices that make sums exact: one token that follows costs 1 to rewrite, and what waits pays 1 at once. */
  const even: Weights = { ...weights, prices: { ...prices, write: 1.25, read: 0.25 }, allowance: 37.5 };
  const waiting = [claim(8, 50)];
  test.each<[string, Partial<Weights>, ReturnType<typeof chooseCut>]>([
    ["rent and allowance just cover it", {}, { from: 8, reason: "rent-paid" }],
    ["the rent does not", { rentClock: 0.99 }, undefined],
    ["the allowance does not", { allowance: 37.4 }, undefined],
  ])("%s", (_, change, expected) => {
    expect(chooseCut(waiting, { ...even, ...change })).toEqual(expected);
  });

  test("without claims nothing is cut, whatever the weights", () => {
    for (const change of [
      { cached: COLD },
      { mode: "eager" },
      { prices: { ...prices, write: 0.1 } },
    ] as const)
      expect(chooseCut([], { ...weights, ...change })).toBeUndefined();
  });
});

describe("if the provider caches at marks", () => {
  const at = (...places: readonly number[]) =>
    places.map((blocks) => ({ blocks, tokens: 100 * blocks, usedAt: 0, ttl: 300_000 }));
  const marked = (...places: readonly number[]): Weights => ({
    ...weights,
    cached: { blocks: 9, tokens: 900, entries: at(...places) },
  });

  test("a cut rewrites everything from the last entry before it, not only from itself", () => {
    // Part 8 keeps 10 tokens: 11.5 to rewrite with an entry at 8, 931.5 if the nearest one is at 0.
    expect(chooseCut([claim(8, 90)], marked(0, 8, 9))).toEqual({ from: 8, reason: "rent-paid" });
    expect(chooseCut([claim(8, 90)], marked(0, 9))).toBeUndefined();
    expect(chooseCut([claim(8, 90, 100)], marked(0, 9))).toEqual({ from: 8, reason: "rent-paid" });
  });

  test("so all claims after that entry are cut together, as they cost no more than one", () => {
    const both = [claim(1, 90, 30), claim(8, 90, 60)];
    expect(chooseCut(both, marked(0, 9))).toEqual({ from: 1, reason: "rent-paid" });
  });

  test("text that no entry covers costs nothing", () => {
    const uncovered = { ...weights, cached: { blocks: 4, tokens: 400, entries: at(0, 4) } };
    expect(chooseCut([claim(5, 50)], uncovered)).toEqual({ from: 4, reason: "cold-cache" });
  });
});
