import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { promotion, testService } from "../tools/memory-service.js";

function post(service, path, body) {
  return service.router.handle({ method: "POST", path, body });
}

describe("http", () => {
  it("answers a health check", async () => {
    const { status, body } = await testService().router.handle({ method: "GET", path: "/health" });
    assert.equal(status, 200);
    assert.equal(body.status, "ok");
  });

  it("quotes a cart", async () => {
    const service = testService({ promotions: [promotion("percentage", { percent: 10 })] });
    const { status, body } = await post(service, "/quotes", { lines: [{ sku: "MUG", quantity: 2 }] });
    assert.equal(status, 200);
    assert.equal(body.total, 2290);
    assert.equal(body.display.discount, "-2.00 EUR");
  });

  it("places, ships and refunds an order", async () => {
    const service = testService();
    const placed = await post(service, "/orders", { lines: [{ sku: "MUG" }], idempotencyKey: "k" });
    assert.equal(placed.status, 201);
    const path = `/orders/${placed.body.id}`;
    await post(service, `${path}/shipment`);
    const refund = await post(service, `${path}/refunds`, { lines: [{ sku: "MUG", quantity: 1 }] });
    assert.equal(refund.body.amount, 1000);
    const after = await service.router.handle({ method: "GET", path });
    assert.equal(after.body.state, "refunded");
  });

  for (const [what, path, body, status] of [
    ["a missing body", "/quotes", undefined, 422],
    ["an empty cart", "/quotes", { lines: [] }, 422],
    ["an unknown product", "/quotes", { lines: [{ sku: "SPOON" }] }, 404],
    ["an unknown coupon", "/quotes", { lines: [{ sku: "MUG" }], couponCodes: ["NOPE"] }, 404],
    ["an order without a key", "/orders", { lines: [{ sku: "MUG" }] }, 422],
    ["a refund of an unknown order", "/orders/ORD-1/refunds", {}, 404],
    ["an unknown path", "/carts", {}, 404],
    ["a wrong method", "/health", {}, 405],
  ]) {
    it(`answers ${what} with ${status}`, async () => {
      assert.equal((await post(testService(), path, body)).status, status);
    });
  }

  it("does not show the message of a fault", async () => {
    const service = testService();
    service.router.on("POST", "/broken", () => {
      throw new Error("secret");
    });
    const { status, body } = await post(service, "/broken", {});
    assert.equal(status, 500);
    assert.equal(body.message, "internal error");
  });
});
