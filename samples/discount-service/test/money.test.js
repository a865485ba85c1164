import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  assertCents,
  clamp,
  formatAmount,
  parseAmount,
  percentOf,
  splitByWeight,
  sum,
} from "../src/money.js";

describe("money", () => {
  describe("parseAmount", () => {
    for (const [text, cents] of [
      ["12.34", 1234],
      ["12.3", 1230],
      ["12", 1200],
      ["0.05", 5],
      ["-3.50", -350],
      [" 7.00 ", 700],
    ]) {
      it(`reads ${JSON.stringify(text)}`, () => assert.equal(parseAmount(text), cents));
    }

    for (const text of ["", "1,50", "12.345", "abc", "--1", "1e3"]) {
      it(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => parseAmount(text), /not an amount/));
    }
  });

  describe("formatAmount", () => {
    it("pads small amounts", () => assert.equal(formatAmount(5), "0.05 EUR"));
    it("keeps the sign", () => assert.equal(formatAmount(-350), "-3.50 EUR"));
    it("uses the currency", () => assert.equal(formatAmount(123456, "CHF"), "1234.56 CHF"));
    it("refuses fractions of a cent", () => assert.throws(() => formatAmount(0.5), /whole number of cents/));
  });

  it("assertCents returns what it was given", () => assert.equal(assertCents(12), 12));
  it("percentOf rounds half a cent up", () => assert.equal(percentOf(150, 7), 11));
  it("sum of nothing is zero", () => assert.equal(sum([]), 0));
  it("clamp keeps a value in its range", () => assert.equal(clamp(12, 0, 10), 10));

  describe("splitByWeight", () => {
    it("splits in proportion", () => assert.deepEqual(splitByWeight(100, [1, 3]), [25, 75]));
    it("gives a line without weight nothing", () =>
      assert.deepEqual(splitByWeight(100, [1, 0, 1]), [50, 0, 50]));
    it("gives nothing when there is no weight", () => assert.deepEqual(splitByWeight(100, [0, 0]), [0, 0]));
  });
});
