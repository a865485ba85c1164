import { ValidationError } from "./errors.js";
import { sum } from "./money.js";

/** Up to this weight the flat fee is all; each kilo begun above it costs extra. */
const FLAT_UP_TO_GRAMS = 2_000;

const MAX_GRAMS = 30_000;

/**
 * What sending the goods costs.
 *
 * Free from `freeShippingFrom` of goods *after* all discounts; goods without weight (downloads,
 * vouchers) are never charged for.
 */
export function shippingFor({ lines, config }) {
  const grams = totalGrams(lines);
  if (grams === 0) return { amount: 0, grams, reason: "nothing-to-send" };
  if (grams > MAX_GRAMS) {
    throw new ValidationError(`the order weighs ${grams} g, more than one parcel of ${MAX_GRAMS} g`, {
      grams,
    });
  }
  const goods = sum(lines.map((line) => line.remaining));
  if (goods >= config.freeShippingFrom) return { amount: 0, grams, reason: "threshold" };
  return { amount: config.shippingFlat + heavyFee(grams, config), grams, reason: "charged" };
}

/** How much is missing to free shipping: shops like to show it. */
export function missingToFreeShipping({ lines, config }) {
  const goods = sum(lines.map((line) => line.remaining));
  return Math.max(0, config.freeShippingFrom - goods);
}

function totalGrams(lines) {
  return sum(lines.map((line) => line.grams * line.quantity));
}

function heavyFee(grams, config) {
  if (grams <= FLAT_UP_TO_GRAMS) return 0;
  return Math.ceil((grams - FLAT_UP_TO_GRAMS) / 1_000) * config.shippingPerKilo;
}
