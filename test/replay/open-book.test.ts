import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ModelOverrides } from "../../src/models/profile.ts";
import { profileFor } from "../../src/models/profile-for.ts";
import type { RequestToBook } from "../../src/replay/book-entry.ts";
import { openBook } from "../../src/replay/open-book.ts";

const MODELLED = { tokens: 1_000_000, cached: 0, bill: 1_000_000, output: 100_000 };
const NOTHING = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
const open = (requests: readonly RequestToBook[], asides: Parameters<typeof openBook>[1] = []) =>
  openBook(requests, asides, (model) => profileFor(model));

describe("the payments", () => {
  // Claude Sonnet 4.5: 3 dollars for a million tokens of input, 0.3 read, 3.75 and 6 written, 15 of output.
  test.each([
    ["plain input", { input: 100_000 }, 0.3],
    ["read from the cache", { cacheRead: 100_000 }, 0.03],
    ["written for five minutes", { cacheWrite: 100_000 }, 0.375],
    ["of it half for an hour", { cacheWrite: 100_000, longWrite: 50_000 }, 0.1875 + 0.3],
    ["output", { input: 100_000, output: 100_000 }, 0.3 + 1.5],
    ["a long context costs more as a whole", { input: 200_001, output: 100_000 }, 1.200006 + 2.25],
  ])("%s", (_, usage, dollars) => {
    const { paid } = open([
      { model: "claude-sonnet-4-5", usage: { ...NOTHING, ...usage }, modelled: MODELLED },
    ]);
    expect(paid).toMatchObject({ estimated: 0, requests: 1 });
    expect(paid.dollars).toBeCloseTo(dollars, 10);
  });

  test("each model by its own price, and costs outside the session", () => {
    const usage = { ...NOTHING, input: 100_000 };
    const { paid, models, entries } = open(
      [
        { model: "claude-sonnet-4-5", usage, modelled: MODELLED },
        { model: "claude-opus-4-6", usage, modelled: MODELLED },
      ],
      [{ kind: "subagent", model: "claude-opus-4-6", usage }],
    );
    expect(paid.dollars).toBeCloseTo(0.3 + 0.5 + 0.5);
    expect(models.map(({ model, requests }) => [model, requests])).toEqual([
      ["claude-opus-4-6", 2],
      ["claude-sonnet-4-5", 1],
    ]);
    expect(entries.map(({ kind }) => kind)).toEqual(["request", "request", "subagent"]);
  });

  test("without usage it is an estimate, and marked: all of it, or only the uncounted part", () => {
    const model = "claude-opus-4-6";
    expect(open([{ model, modelled: MODELLED }]).paid).toMatchObject({
      input: 5,
      output: 2.5,
      estimated: 7.5,
    });
    const written = open([{ model, usage: { ...NOTHING, output: 200_000 }, modelled: MODELLED }]);
    expect(written.paid).toMatchObject({ input: 5, output: 5, estimated: 5 });
    expect(written.entries[0]?.estimated).toEqual({ input: true, output: false });
  });

  test("with cache prices that no list has, input is an estimate, and the model is named", () => {
    const usage = { ...NOTHING, input: 100_000, cacheRead: 100_000, output: 10_000 };
    const house = { model: "house-1", usage, modelled: MODELLED };
    const priced = (prices: ModelOverrides, request: RequestToBook = house) =>
      openBook([request], [], (model) => profileFor(model, prices));
    const assumed = priced({ "house-1": { dollarsPerMillion: 10 } });
    expect(assumed.assumedCaches).toEqual(["house-1"]);
    expect(assumed.paid.estimated).toBeCloseTo(assumed.paid.input);
    // A model with a price only for plain input.
    expect(priced({}, { ...house, model: "gpt-5-pro" }).assumedCaches).toEqual(["gpt-5-pro"]);
    for (const certain of [
      priced({ "house-1": { dollarsPerMillion: 10, read: 0.025 } }),
      priced({ "house-1": { dollarsPerMillion: 10 } }, { ...house, cost: 3 }),
      priced({ "house-1": { dollarsPerMillion: 10 } }, { ...house, usage: { ...NOTHING, input: 5 } }),
      priced({}, { ...house, model: "claude-fable-5-1" }),
    ])
      expect([certain.assumedCaches, certain.paid.estimated]).toEqual([[], 0]);
  });

  test.each([
    ["a cost that was recorded counts, whatever the prices say", "claude-sonnet-4-5", 7, 7],
    ["no cost is a subscription: what the tokens would have cost", "claude-sonnet-4-5", 0, 0.3],
    ["unless the model is free", "deepseek-v4-flash-free", 0, 0],
    ["of a model whose price is not known", "nobody-knows-1", 7, 7],
  ])("%s", (_, model, cost, dollars) => {
    const usage = { ...NOTHING, input: 100_000 };
    const { paid, unpriced } = open([{ model, cost, usage, modelled: MODELLED }]);
    expect(paid.dollars).toBeCloseTo(dollars, 10);
    expect(unpriced).toEqual([]);
  });

  test("a model without a known price is in the shares, not in the dollars", () => {
    const book = open([{ model: "nobody-knows-1", modelled: MODELLED }]);
    expect(book.paid.dollars).toBe(0);
    expect(book.unpriced).toEqual(["nobody-knows-1"]);
    expect(book.price([500_000])).toMatchObject({ dollars: 0, saved: 0, inputShare: 0.5 });
  });
});

describe("the remaining cost", () => {
  const usage = { ...NOTHING, input: 2_000_000, output: 100_000 };
  const model = "claude-opus-4-6"; // 5 dollars, output 25
  const book = open(
    [{ model, usage, modelled: MODELLED }],
    [{ kind: "branch", model, usage: { ...NOTHING, input: 500_000 } }],
  );

  test("savings are modelled, and scaled to the payments; output and asides stay", () => {
    // 12.50 + 2.50 paid; of the 10 for the session's own input a fifth is saved
    expect(book.paid).toMatchObject({ dollars: 15, input: 12.5, output: 2.5 });
    const left = book.price([800_000]);
    expect(left).toMatchObject({ dollars: 13, saved: 2 });
    expect(left.share).toBeCloseTo(13 / 15);
    expect(left.inputShare).toBeCloseTo(10.5 / 12.5);
    expect(book.priceRequests([800_000])).toEqual([{ paid: 12.5, left: 10.5 }]);
  });

  test("without savings the share is 1, and an empty session is whole", () => {
    expect(book.price([1_000_000])).toEqual({ dollars: 15, saved: 0, share: 1, inputShare: 1 });
    expect(open([]).price([])).toEqual({ dollars: 0, saved: 0, share: 1, inputShare: 1 });
  });
});

test("the requests' savings add up to the session's, for any models and usage", () => {
  const request = fc.record({
    model: fc.constantFrom("claude-opus-4-6", "gpt-5.4", "nobody-knows-1"),
    counted: fc.boolean(),
    input: fc.integer({ min: 1, max: 1e6 }),
    bill: fc.integer({ min: 1, max: 1e6 }),
    left: fc.double({ min: 0, max: 1.5, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 20 }), (requests) => {
      const booked = open(
        requests.map(({ model, counted, input, bill }) => ({
          model,
          ...(counted && { usage: { ...NOTHING, input } }),
          modelled: { tokens: bill, cached: 0, bill, output: 10 },
        })),
      );
      const bills = requests.map(({ bill, left }) => bill * left);
      const { saved, dollars, inputShare } = booked.price(bills);
      const each = booked
        .priceRequests(bills)
        .map(({ paid, left }, i) => (requests[i]?.model === "nobody-knows-1" ? 0 : paid - left));
      expect(each.reduce((sum, one) => sum + one, 0)).toBeCloseTo(saved, 8);
      expect(dollars + saved).toBeCloseTo(booked.paid.dollars, 8);
      expect(inputShare).toBeGreaterThanOrEqual(-1e-9);
    }),
  );
});
