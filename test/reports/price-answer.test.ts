import { expect, test } from "vitest";
import { profileFor } from "../../src/models/profile-for.ts";
import { priceAnswer } from "../../src/reports/price-answer.ts";

type PricedReport = Parameters<typeof priceAnswer>[0];

const profile = profileFor("claude-sonnet-4-5", {});
const perToken = (profile.dollarsPerMillion ?? 0) / 1e6;

/**
 * A request of 1,000 tokens that the model prices at 1,000, and at 2,000 without Coppice; all of it was plain input.
 */
function priceWithout(paid: number, reason: "rent-paid" | "never-sent" | undefined): number {
  const report = {
    bill: { newest: { with: 1_000, without: 2_000 } },
    tokens: { before: 2_000, after: 1_000 },
    terms: {},
    ...(reason && { cut: { reason, edits: [] } }),
  } as unknown as PricedReport;
  const cacheRead = ((1_000 - paid) / (1 - profile.cache.read)) | 0;
  const usage = { input: 1_000 - cacheRead, cacheRead, cacheWrite: 0, output: 0 };
  return Math.round((priceAnswer(report, usage, profile, false)?.without ?? 0) / perToken / 10) * 10;
}

test("a request without a cut: both are corrected by the same amount", () => {
  expect(priceWithout(800, undefined)).toBe(1_600);
});

test("a cut of cached text that cost less than expected does not make the request without it cheaper", () => {
  expect(priceWithout(800, "rent-paid")).toBe(2_000);
  expect(priceWithout(800, "never-sent"), "a cut that lost nothing").toBe(1_600);
});

test("but a cache that the model had given up would have existed without Coppice too", () => {
  expect(priceWithout(300, "rent-paid")).toBe(600);
});
