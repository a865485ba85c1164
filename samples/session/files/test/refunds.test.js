import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cartFrom } from "../src/cart.js";
import { NOON, promotion, testService } from "../tools/memory-service.js";

const LOYALTY = promotion("loyalty", { percents: { silver: 3, gold: 7.5 } });
const NEWYEAR10 = { code: "NEWYEAR10", kind: "percentage", percent: 10 };
const SORRY3 = { code: "SORRY3", kind: "amount", amount: 300 };

/** The products of ORD-1042, the order that finance found. */
const PRODUCTS = [
  { sku: "MUG-01", name: "Mug, speckled", category: "kitchen", price: 1250, grams: 340 },
  { sku: "TEA-12", name: "Tea, smoked, 100 g", category: "food", price: 949, grams: 130 },
  { sku: "NTB-22", name: "Notebook A6, pocket", category: "stationery", price: 429, grams: 95 },
  { sku: "SMP-90", name: "Paper samples", category: "samples", price: 0, grams: 60 },
];

function shippedOrder(lines, { customerId, couponCodes }) {
  const service = testService({ products: PRODUCTS, promotions: [LOYALTY], coupons: [NEWYEAR10, SORRY3] });
  const quote = service.pricing.quote({ cart: cartFrom(lines), customerId, couponCodes, at: NOON });
  const order = service.orders.place(quote, { customerId, at: NOON });
  service.orders.ship(order.id);
  return { order, orders: service.orders, goods: order.total - order.shipping };
}

describe("refunds", () => {
  it("give back what was paid for ORD-1042", () => {
    const lines = [{ sku: "MUG-01" }, { sku: "TEA-12" }, { sku: "NTB-22" }, { sku: "SMP-90" }];
    const { order, orders, goods } = shippedOrder(lines, { customerId: "gold", couponCodes: ["NEWYEAR10"] });
    assert.equal(orders.refund(order.id, { at: NOON }).amount, goods);
  });

  for (const couponCodes of [[], ["NEWYEAR10"], ["SORRY3"], ["NEWYEAR10", "SORRY3"]]) {
    it(`add up for carts of all sizes with ${couponCodes.join(" and ") || "no coupon"}`, () => {
      for (let mugs = 1; mugs <= 4; mugs++) {
        for (let notebooks = 1; notebooks <= 6; notebooks++) {
          const lines = [
            { sku: "MUG-01", quantity: mugs },
            { sku: "TEA-12", quantity: 1 },
            { sku: "NTB-22", quantity: notebooks },
          ];
          const { order, orders, goods } = shippedOrder(lines, { customerId: "silver", couponCodes });
          const { amount } = orders.refund(order.id, { at: NOON });
          assert.equal(amount, goods, `${mugs} mugs, ${notebooks} notebooks`);
        }
      }
    });
  }

  it("add up when units come back one by one", () => {
    const lines = [{ sku: "MUG-01" }, { sku: "TEA-12" }, { sku: "NTB-22", quantity: 7 }];
    const { order, orders, goods } = shippedOrder(lines, { customerId: "gold", couponCodes: ["NEWYEAR10"] });
    let refunded = 0;
    for (const { sku, quantity } of lines) {
      for (let unit = 0; unit < (quantity ?? 1); unit++) {
        refunded += orders.refund(order.id, { lines: [{ sku, quantity: 1 }], at: NOON }).amount;
      }
    }
    assert.equal(refunded, goods);
    assert.equal(order.state, "refunded");
  });
});
