import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cartFrom } from "../src/cart.js";
import { NOON, promotion, testService } from "../tools/memory-service.js";

function quote(service, lines, options = {}) {
  return service.pricing.quote({ cart: cartFrom(lines), at: NOON, ...options });
}

describe("pricing", () => {
  it("adds up lines and shipping", () => {
    const { subtotal, shipping, total } = quote(testService(), [{ sku: "MUG", quantity: 2 }]);
    assert.deepEqual({ subtotal, shipping, total }, { subtotal: 2000, shipping: 490, total: 2490 });
  });

  it("sends larger orders for free", () => {
    const { shipping, missingToFreeShipping } = quote(testService(), [{ sku: "MUG", quantity: 5 }]);
    assert.deepEqual({ shipping, missingToFreeShipping }, { shipping: 0, missingToFreeShipping: 0 });
  });

  it("refuses products that are not sold", () => {
    assert.throws(() => quote(testService(), [{ sku: "SPOON" }]), { code: "not-found" });
  });

  describe("promotions", () => {
    const half = promotion("percentage", { id: "half", percent: 50, category: "kitchen" });
    const tenth = promotion("percentage", { id: "tenth", percent: 10, priority: 20 });

    it("evaluates each on what the earlier ones left", () => {
      const { discounts } = quote(testService({ promotions: [tenth, half] }), [{ sku: "MUG" }]);
      assert.deepEqual(
        discounts.map(({ id, amount }) => [id, amount]),
        [
          ["half", 500],
          ["tenth", 50],
        ],
      );
    });

    it("takes an exclusive one alone when it gives more", () => {
      const service = testService({ promotions: [tenth, { ...half, exclusive: true }] });
      const { discounts } = quote(service, [{ sku: "MUG" }]);
      assert.deepEqual(
        discounts.map((discount) => discount.id),
        ["half"],
      );
    });

    it("leaves an exclusive one out when the others give more", () => {
      const service = testService({ promotions: [tenth, { ...half, exclusive: true }] });
      const { discounts } = quote(service, [{ sku: "BOOK", quantity: 3 }, { sku: "MUG" }]);
      assert.deepEqual(
        discounts.map((discount) => discount.id),
        ["tenth"],
      );
    });

    it("caps them together", () => {
      const service = testService({ promotions: [half, tenth], maxDiscountPercent: 52 });
      const { discounts, discountTotal } = quote(service, [{ sku: "MUG" }]);
      assert.equal(discountTotal, 520);
      assert.equal(discounts.at(-1).amount, 20);
    });

    it("ignores those that are not active", () => {
      const service = testService({ promotions: [{ ...half, endsAt: "2026-01-01T00:00:00Z" }] });
      assert.equal(quote(service, [{ sku: "MUG" }]).discountTotal, 0);
    });
  });

  describe("coupons", () => {
    const coupons = [
      { code: "TEN", kind: "percentage", percent: 10 },
      { code: "FIVE", kind: "amount", amount: 500, minimumSpend: 1500 },
    ];

    it("come after promotions", () => {
      const service = testService({ coupons, promotions: [promotion("percentage", { percent: 50 })] });
      const { discounts } = quote(service, [{ sku: "MUG" }], { couponCodes: ["TEN"] });
      assert.equal(discounts.at(-1).amount, 50);
    });

    it("are skipped below their minimum spend", () => {
      const { couponCodes } = quote(testService({ coupons }), [{ sku: "MUG" }], { couponCodes: ["FIVE"] });
      assert.deepEqual(couponCodes, []);
    });

    it("never bring a line below zero", () => {
      const service = testService({ coupons: [{ code: "ALL", kind: "amount", amount: 100_000 }] });
      const { lines } = quote(service, [{ sku: "MUG" }, { sku: "TEA" }], { couponCodes: ["ALL"] });
      assert.equal(Math.min(...lines.map((line) => line.paid)), 0);
    });
  });

  it("keeps a unit that is free at zero", () => {
    const service = testService({
      promotions: [
        promotion("buy-x-get-y", { buy: 2, free: 1, skus: ["MUG", "PEN"] }),
        promotion("loyalty", { percents: { gold: 7.5 }, priority: 20 }),
      ],
    });
    const cart = [
      { sku: "TEA", quantity: 2 },
      { sku: "NOTEBOOK", quantity: 1 },
      { sku: "MUG", quantity: 2 },
      { sku: "PEN", quantity: 1 },
    ];
    const pen = quote(service, cart, { customerId: "gold" }).lines.at(-1);
    assert.equal(pen.paid, 0);
  });

  it("lists the VAT by rate", () => {
    const { vat } = quote(testService(), [{ sku: "BOOK", quantity: 2 }, { sku: "MUG" }]);
    assert.deepEqual(vat, {
      byRate: [
        { rate: 19, gross: 1000, net: 840, vat: 160 },
        { rate: 7, gross: 4000, net: 3738, vat: 262 },
      ],
      total: 422,
    });
  });
});
