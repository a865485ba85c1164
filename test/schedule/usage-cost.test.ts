import { expect, test } from "vitest";
import { profileCachedFor, profileFor } from "../../src/models/profile-for.ts";
import { costOfUsage } from "../../src/schedule/usage-cost.ts";

const USAGE = { input: 1_000, cacheRead: 100_000, cacheWrite: 2_000, output: 500 };

test.each([
  // $3: 1,000 + 10,000 + 2,500 + 2,500 = 16,000 tokens of plain input
  ["claude-sonnet-4-5", 0.048],
  // $1.25, writing costs nothing extra, output 8: 1,000 + 10,000 + 2,000 + 4,000
  ["gpt-5", 0.02125],
])("the price of a request to %s", (model, dollars) => {
  expect(costOfUsage(USAGE, profileFor(model))).toBeCloseTo(dollars, 10);
});

test("writing for an hour costs more", () => {
  const profile = profileCachedFor(profileFor("claude-sonnet-4-5"), 3_600_000);
  expect(costOfUsage(USAGE, profile)).toBeCloseTo(0.048 + (2_000 * 0.75 * 3) / 1e6, 10);
});

test("unknown for a model without a price", () => {
  expect(costOfUsage(USAGE, profileFor("house-model"))).toBeUndefined();
});
