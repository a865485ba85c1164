import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cartFrom } from "../src/cart.js";
import { NOON, testService } from "../tools/memory-service.js";

function placeOrder(service, lines, { customerId, couponCodes, idempotencyKey } = {}) {
  const quote = service.pricing.quote({ cart: cartFrom(lines), customerId, couponCodes, at: NOON });
  return service.orders.place(quote, { customerId, idempotencyKey, at: NOON });
}

describe("orders", () => {
  it("numbers orders", () => {
    const service = testService();
    assert.equal(placeOrder(service, [{ sku: "MUG" }]).id, "ORD-1000");
    assert.equal(placeOrder(service, [{ sku: "MUG" }]).id, "ORD-1001");
  });

  it("places once per key", () => {
    const service = testService();
    const first = placeOrder(service, [{ sku: "MUG" }], { idempotencyKey: "k1" });
    const second = placeOrder(service, [{ sku: "MUG" }], { idempotencyKey: "k1" });
    assert.equal(second, first);
    assert.equal(service.orders.list().length, 1);
  });

  it("counts the purchase towards the customer's tier", () => {
    const service = testService();
    placeOrder(service, [{ sku: "BOOK", quantity: 30 }], { customerId: "new" });
    assert.equal(service.customers.tierOf("new", NOON), "silver");
  });

  it("gives the coupon of a cancelled order back", () => {
    const service = testService({
      coupons: [{ code: "ONCE", kind: "amount", amount: 100, maxRedemptions: 1 }],
    });
    const order = placeOrder(service, [{ sku: "MUG" }], { couponCodes: ["ONCE"] });
    assert.equal(service.coupons.redemptionsOf("ONCE").length, 1);
    service.orders.cancel(order.id);
    assert.equal(service.coupons.redemptionsOf("ONCE").length, 0);
  });

  it("can't cancel what was shipped", () => {
    const service = testService();
    const { id } = placeOrder(service, [{ sku: "MUG" }]);
    service.orders.ship(id);
    assert.throws(() => service.orders.cancel(id), { code: "wrong-state" });
  });

  describe("refund", () => {
    function shipped(lines) {
      const service = testService();
      const { id } = placeOrder(service, lines);
      service.orders.ship(id);
      return { id, orders: service.orders };
    }

    it("gives back everything but the shipping", () => {
      const { id, orders } = shipped([{ sku: "MUG" }, { sku: "PEN", quantity: 3 }]);
      assert.equal(orders.refund(id, { at: NOON }).amount, 1600);
      assert.equal(orders.get(id).state, "refunded");
    });

    it("gives back single units", () => {
      const { id, orders } = shipped([{ sku: "PEN", quantity: 3 }]);
      assert.equal(orders.refund(id, { lines: [{ sku: "PEN", quantity: 1 }], at: NOON }).amount, 200);
      assert.equal(orders.get(id).state, "partly-refunded");
    });

    it("refuses more units than are left", () => {
      const { id, orders } = shipped([{ sku: "PEN", quantity: 3 }]);
      orders.refund(id, { lines: [{ sku: "PEN", quantity: 2 }], at: NOON });
      assert.throws(
        () => orders.refund(id, { lines: [{ sku: "PEN", quantity: 2 }], at: NOON }),
        /has 1 of PEN left to refund/,
      );
    });

    it("refuses an order that was not shipped", () => {
      const service = testService();
      const { id } = placeOrder(service, [{ sku: "MUG" }]);
      assert.throws(() => service.orders.refund(id, { at: NOON }), { code: "wrong-state" });
    });
  });
});
