import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { missingToFreeShipping, shippingFor } from "../src/shipping.js";
import { includedVat, summarizeVat } from "../src/tax.js";

const config = { freeShippingFrom: 5000, shippingFlat: 490, shippingPerKilo: 120 };

function parcel(grams, remaining = 1000) {
  return { lines: [{ grams, quantity: 1, remaining }], config };
}

describe("shipping", () => {
  for (const [what, order, amount] of [
    ["a light parcel costs the flat fee", parcel(2000), 490],
    ["each kilo begun above two costs extra", parcel(3001), 730],
    ["enough goods are sent for free", parcel(3001, 5000), 0],
    ["goods without weight cost nothing", parcel(0), 0],
  ]) {
    it(what, () => assert.equal(shippingFor(order).amount, amount));
  }

  it("refuses what is too heavy for a parcel", () =>
    assert.throws(() => shippingFor(parcel(30_001)), /30001 g/));
  it("says what is missing", () => assert.equal(missingToFreeShipping(parcel(100, 4200)), 800));
});

describe("tax", () => {
  it("finds the VAT inside a gross amount", () => assert.equal(includedVat(1190, 19), 190));

  it("taxes shipping at the rate of most goods", () => {
    const lines = [
      { category: "books", paid: 3000 },
      { category: "kitchen", paid: 1000 },
    ];
    assert.deepEqual(
      summarizeVat(lines, 490).byRate.map(({ rate, gross }) => [rate, gross]),
      [
        [19, 1000],
        [7, 3490],
      ],
    );
  });

  it("prefers the higher rate when two are level", () => {
    const lines = [
      { category: "books", paid: 1000 },
      { category: "kitchen", paid: 1000 },
    ];
    assert.equal(summarizeVat(lines, 490).byRate[0].gross, 1490);
  });
});
