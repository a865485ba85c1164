import { expect, test } from "vitest";
import { visitNames } from "../../../src/facts/literals.ts";
import { isSummary } from "../../../src/strategies/summaries/is-summary.ts";
import { addNames } from "../../../src/strategies/summaries/omitted-names.ts";
import { addRef } from "../../../src/strategies/summaries/summary.ts";
import { estimateTokens } from "../../../src/transcript/estimate.ts";

const TEXT = [
  "src/pricing.ts:12: rate = applyDiscountRate(order)",
  "src/orders/total.ts:40: return applyDiscountRate(total) * 12345678",
  "src/orders: done, 3 files, no plain words in here",
].join("\n");

test("names are whole and specific", () => {
  const names: string[] = [];
  visitNames(TEXT, (name) => names.push(name) === 5);
  expect(names).toEqual([
    "src/pricing.ts",
    "applyDiscountRate",
    "src/orders/total.ts",
    "applyDiscountRate",
    "src/orders",
  ]);
});

test("no more names than wanted are looked for", () => {
  const names: string[] = [];
  visitNames(TEXT, (name) => names.push(name) === 2);
  expect(names).toEqual(["src/pricing.ts", "applyDiscountRate"]);
});

test.each([
  [
    "behind lines",
    "... [3 lines omitted] ...",
    "... [3 lines omitted] ...\n[also names src/pricing.ts, applyDiscountRate, src/orders/total.ts]",
  ],
  [
    "inside a summary",
    "[Pruned grep: 2 matches]",
    "[Pruned grep: 2 matches; also names src/pricing.ts, applyDiscountRate, src/orders/total.ts]",
  ],
  [
    "not what is still there",
    "src/pricing.ts:12: rate = applyDiscountRate(order)\n... [2 lines omitted] ...",
    "src/pricing.ts:12: rate = applyDiscountRate(order)\n... [2 lines omitted] ...\n[also names src/orders/total.ts]",
  ],
  ["nothing", TEXT, TEXT],
])("%s", (_, left, expected) => {
  const named = addNames(left, TEXT, 100);
  expect(named).toBe(expected);
});

test("as many as there is room for", () => {
  const text = Array.from({ length: 500 }, (_, i) => `src/module${i}/index.ts`).join("\n");
  const left = "... [500 lines omitted] ...";
  const named = addNames(left, text, 50);
  expect(named).toContain("src/module0/index.ts");
  expect(estimateTokens(named) - estimateTokens(left)).toBeLessThanOrEqual(50);
  expect(addNames(left, text, 5)).toBe(left);
  expect(estimateTokens(addNames(left, text, 10_000))).toBeLessThan(400);
});

test("what has names behind it carries its ref and is known for a summary", () => {
  for (const left of [
    "... [3 lines omitted] ...",
    "[Pruned grep: 2 matches]",
    "[1, 2]\n... [3 lines omitted] ...",
  ]) {
    const marked = addRef(addNames(left, TEXT, 100), "a1b2c3");
    expect(marked).toContain("a1b2c3");
    expect(isSummary(marked)).toBe(true);
  }
});
