import { ConflictError, NotFoundError, ValidationError } from "./errors.js";
import { assertCents, percentOf, sum } from "./money.js";
import { isActive } from "./rules/index.js";

const MAX_PER_ORDER = 3;

/**
 * Codes that a customer enters. A coupon:
 *
 *   { code, kind: "percentage", percent } or { code, kind: "amount", amount }
 *
 * and optionally `minimumSpend`, `startsAt`, `endsAt`, `maxRedemptions`, `maxPerCustomer` and
 * `combinable: false` for a coupon that must be the only one of its order.
 */
export function createCoupons(records = []) {
  const byCode = new Map();
  const redemptions = new Map();
  for (const record of records) {
    validateCoupon(record);
    const code = normalizeCode(record.code);
    if (byCode.has(code)) throw new ValidationError(`coupon ${code} is listed twice`);
    byCode.set(code, Object.freeze({ ...record, code }));
    redemptions.set(code, []);
  }
  return { check, redeem, release, redemptionsOf };

  /** The coupons behind the codes, all of them usable by this customer now; throws for the first that is not. */
  function check(codes, { customerId, at }) {
    const wanted = [...new Set(codes.map(normalizeCode))];
    if (wanted.length > MAX_PER_ORDER) {
      throw new ConflictError("too-many-coupons", `at most ${MAX_PER_ORDER} coupons per order`);
    }
    const coupons = wanted.map((code) => {
      const coupon = byCode.get(code);
      if (!coupon) throw new NotFoundError("coupon", code);
      if (!isActive(coupon, at))
        throw new ConflictError("coupon-inactive", `coupon ${code} is not valid now`);
      checkLimits(coupon, customerId);
      return coupon;
    });
    const alone = coupons.find((coupon) => coupon.combinable === false);
    if (alone && coupons.length > 1) {
      throw new ConflictError("coupon-not-combinable", `coupon ${alone.code} can't be combined with others`);
    }
    return coupons;
  }

  function redeem(codes, { customerId, orderId }) {
    for (const code of codes) redemptions.get(normalizeCode(code)).push({ customerId, orderId });
  }

  /** Gives the redemptions of a cancelled order back. */
  function release(orderId) {
    for (const [code, list] of redemptions) {
      redemptions.set(
        code,
        list.filter((redemption) => redemption.orderId !== orderId),
      );
    }
  }

  function redemptionsOf(code) {
    return [...(redemptions.get(normalizeCode(code)) ?? [])];
  }

  function checkLimits({ code, maxRedemptions, maxPerCustomer }, customerId) {
    const used = redemptions.get(code);
    if (maxRedemptions !== undefined && used.length >= maxRedemptions) {
      throw new ConflictError("coupon-used-up", `coupon ${code} is used up`);
    }
    if (maxPerCustomer === undefined) return;
    if (customerId === undefined) {
      throw new ConflictError("coupon-needs-account", `coupon ${code} is for customers with an account`);
    }
    const own = used.filter((redemption) => redemption.customerId === customerId).length;
    if (own >= maxPerCustomer) {
      throw new ConflictError("coupon-used-up", `coupon ${code} was already used by customer ${customerId}`);
    }
  }
}

/** What a coupon takes off the lines as they stand; undefined when the minimum spend is not reached. */
export function evaluateCoupon(coupon, lines) {
  const matching = [...lines.keys()].filter((index) => lines[index].remaining > 0);
  const base = sum(matching.map((index) => lines[index].remaining));
  if (coupon.minimumSpend !== undefined && base < coupon.minimumSpend) return undefined;
  const wanted = coupon.kind === "amount" ? coupon.amount : percentOf(base, coupon.percent);
  const amount = Math.min(wanted, base);
  return amount > 0 ? { amount, lines: matching } : undefined;
}

function validateCoupon(coupon) {
  if (typeof coupon.code !== "string" || coupon.code.trim() === "") {
    throw new ValidationError("a coupon needs a code", { coupon });
  }
  if (coupon.kind === "percentage") {
    if (typeof coupon.percent !== "number" || coupon.percent <= 0 || coupon.percent > 100) {
      throw new ValidationError(`percent of coupon ${coupon.code} must be above 0 and at most 100`);
    }
  } else if (coupon.kind === "amount") {
    if (assertCents(coupon.amount, `amount of coupon ${coupon.code}`) <= 0) {
      throw new ValidationError(`amount of coupon ${coupon.code} must be above zero`);
    }
  } else {
    throw new ValidationError(`coupon ${coupon.code} has an unknown kind: ${coupon.kind}`);
  }
}

function normalizeCode(code) {
  return String(code).trim().toUpperCase();
}
