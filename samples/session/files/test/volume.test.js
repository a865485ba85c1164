import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cartFrom } from "../src/cart.js";
import { validatePromotion } from "../src/rules/index.js";
import { NOON, promotion, testService } from "../tools/memory-service.js";

const TIERS = [
  { from: 10, percent: 5 },
  { from: 25, percent: 9 },
];
const NOTEBOOKS = promotion("volume", { skus: ["NOTEBOOK", "PEN"], tiers: TIERS });

function quote(lines, promotions = [NOTEBOOKS]) {
  return testService({ promotions }).pricing.quote({ cart: cartFrom(lines), at: NOON });
}

describe("volume", () => {
  for (const [quantity, amount] of [
    [10, 350],
    [24, 840],
    [25, 1575],
    [100, 6300],
  ]) {
    it(`takes ${amount} off ${quantity} notebooks`, () => {
      assert.equal(quote([{ sku: "NOTEBOOK", quantity }]).discountTotal, amount);
    });
  }

  it("counts the units of all its skus together", () => {
    const lines = [
      { sku: "NOTEBOOK", quantity: 6 },
      { sku: "PEN", quantity: 5 },
    ];
    assert.equal(quote(lines).discountTotal, 260);
  });

  it("leaves other products alone", () => {
    const lines = [{ sku: "MUG" }, { sku: "NOTEBOOK", quantity: 10 }];
    assert.deepEqual(
      quote(lines).lines.map((line) => line.discount),
      [0, 350],
    );
  });

  it("works on what earlier promotions left", () => {
    const half = promotion("percentage", { percent: 50, priority: 1 });
    assert.equal(quote([{ sku: "NOTEBOOK", quantity: 10 }], [half, NOTEBOOKS]).discounts[1].amount, 175);
  });

  describe("validation", () => {
    for (const [what, parameters, message] of [
      ["no skus", { skus: [], tiers: TIERS }, /needs a list of skus/],
      ["no tiers", { skus: ["PEN"], tiers: [] }, /at least one tier/],
      ["a tier from one unit", { skus: ["PEN"], tiers: [{ from: 1, percent: 5 }] }, /2 units or more/],
      ["a percent of zero", { skus: ["PEN"], tiers: [{ from: 10, percent: 0 }] }, /above 0/],
    ]) {
      it(`refuses ${what}`, () => {
        assert.throws(() => validatePromotion(promotion("volume", parameters)), message);
      });
    }
  });
});
