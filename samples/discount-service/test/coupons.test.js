import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createCoupons, evaluateCoupon } from "../src/coupons.js";
import { NOON } from "../tools/memory-service.js";

const TEN_PERCENT = { code: "TEN", kind: "percentage", percent: 10 };
const FIVE_EURO = { code: "FIVE", kind: "amount", amount: 500 };

describe("coupons", () => {
  describe("check", () => {
    it("finds codes whatever their case", () => {
      const coupons = createCoupons([TEN_PERCENT]);
      assert.equal(coupons.check([" ten "], { at: NOON })[0].percent, 10);
    });

    it("takes a code that was entered twice once", () => {
      const coupons = createCoupons([TEN_PERCENT]);
      assert.equal(coupons.check(["TEN", "ten"], { at: NOON }).length, 1);
    });

    it("refuses an unknown code", () => {
      assert.throws(() => createCoupons().check(["NOPE"], { at: NOON }), { code: "not-found" });
    });

    it("refuses a coupon that has ended", () => {
      const coupons = createCoupons([{ ...TEN_PERCENT, endsAt: NOON.toISOString() }]);
      assert.throws(() => coupons.check(["TEN"], { at: NOON }), { code: "coupon-inactive" });
    });

    it("refuses a coupon that must stand alone beside another", () => {
      const coupons = createCoupons([{ ...TEN_PERCENT, combinable: false }, FIVE_EURO]);
      assert.throws(() => coupons.check(["TEN", "FIVE"], { at: NOON }), { code: "coupon-not-combinable" });
    });
  });

  describe("limits", () => {
    it("counts redemptions over all customers", () => {
      const coupons = createCoupons([{ ...TEN_PERCENT, maxRedemptions: 1 }]);
      coupons.redeem(["TEN"], { customerId: "a", orderId: "ORD-1" });
      assert.throws(() => coupons.check(["TEN"], { customerId: "b", at: NOON }), { code: "coupon-used-up" });
    });

    it("counts redemptions of one customer", () => {
      const coupons = createCoupons([{ ...TEN_PERCENT, maxPerCustomer: 1 }]);
      coupons.redeem(["TEN"], { customerId: "a", orderId: "ORD-1" });
      assert.throws(() => coupons.check(["TEN"], { customerId: "a", at: NOON }), { code: "coupon-used-up" });
      assert.equal(coupons.check(["TEN"], { customerId: "b", at: NOON }).length, 1);
    });

    it("wants an account for a coupon with a limit per customer", () => {
      const coupons = createCoupons([{ ...TEN_PERCENT, maxPerCustomer: 1 }]);
      assert.throws(() => coupons.check(["TEN"], { at: NOON }), { code: "coupon-needs-account" });
    });

    it("gives redemptions of a cancelled order back", () => {
      const coupons = createCoupons([{ ...TEN_PERCENT, maxRedemptions: 1 }]);
      coupons.redeem(["TEN"], { orderId: "ORD-1" });
      coupons.release("ORD-1");
      assert.deepEqual(coupons.redemptionsOf("TEN"), []);
    });
  });

  describe("evaluateCoupon", () => {
    const lines = [{ remaining: 1000 }, { remaining: 0 }, { remaining: 500 }];

    it("takes a share of what is left", () => {
      assert.deepEqual(evaluateCoupon(TEN_PERCENT, lines), { amount: 150, lines: [0, 2] });
    });

    it("never takes more than what is left", () => {
      assert.equal(evaluateCoupon({ ...FIVE_EURO, amount: 9000 }, lines).amount, 1500);
    });

    it("needs the minimum spend", () => {
      assert.equal(evaluateCoupon({ ...FIVE_EURO, minimumSpend: 1501 }, lines), undefined);
    });
  });
});
