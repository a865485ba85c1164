import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { capDiscounts, choosePromotions, takeOff, totalOf } from "../src/stacking.js";
import { NOON, promotion } from "../tools/memory-service.js";

function lines(...prices) {
  return prices.map((price, index) => ({
    sku: `SKU-${index}`,
    category: "kitchen",
    quantity: 1,
    unitPrice: price,
    gross: price,
    remaining: price,
  }));
}

function choose(cart, promotions) {
  return choosePromotions(cart, { promotions, tier: undefined, at: NOON });
}

describe("stacking", () => {
  const tenth = promotion("percentage", { id: "tenth", percent: 10 });
  const fifth = promotion("percentage", { id: "fifth", percent: 20 });

  it("combines promotions one after the other", () => {
    assert.equal(totalOf(choose(lines(1000), [fifth, tenth])), 280);
  });

  it("does not touch the lines while it chooses", () => {
    const cart = lines(1000, 500);
    choose(cart, [fifth, tenth]);
    assert.deepEqual(
      cart.map((line) => line.remaining),
      [1000, 500],
    );
  });

  it("keeps the combination when an exclusive one gives the same", () => {
    const chosen = choose(lines(1000), [tenth, { ...tenth, id: "alone", exclusive: true }]);
    assert.deepEqual(
      chosen.map(({ id }) => id),
      ["tenth"],
    );
  });

  it("takes the best of several exclusive ones", () => {
    const chosen = choose(lines(1000), [
      { ...tenth, exclusive: true },
      { ...fifth, exclusive: true },
    ]);
    assert.deepEqual(
      chosen.map(({ id }) => id),
      ["fifth"],
    );
  });

  it("cuts the discount that crosses the limit down to fit", () => {
    const capped = capDiscounts([{ amount: 300 }, { amount: 300 }, { amount: 300 }], 450);
    assert.deepEqual(
      capped.map(({ amount }) => amount),
      [300, 150],
    );
  });

  it("takes exactly the amount off", () => {
    const cart = lines(333, 333, 334);
    takeOff(cart, { amount: 100, lines: [0, 1, 2] });
    assert.equal(
      cart.reduce((total, line) => total + line.remaining, 0),
      900,
    );
  });
});
