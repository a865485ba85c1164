import { evaluateCoupon } from "./coupons.js";
import { assertCents, clamp, percentOf, splitByWeight, sum } from "./money.js";
import { isActive, ruleFor } from "./rules/index.js";
import { missingToFreeShipping, shippingFor } from "./shipping.js";
import { summarizeVat } from "./tax.js";

/**
 * Prices carts. A quote says what the customer pays, and how it came about:
 *
 *   {
 *     lines:     [{ sku, name, category, quantity, unitPrice, gross, discount, paid }],
 *     discounts: [{ source, id, label, amount }],
 *     subtotal, discountTotal, shipping, total, vat, missingToFreeShipping
 *   }
 *
 * `paid` of a line is what a refund of that line gives back.
 */
export function createPricing({ config, catalog, customers, coupons, logger }) {
  return { quote };

  function quote({ cart, customerId, couponCodes = [], at }) {
    const tier = customerId === undefined ? undefined : customers.tierOf(customerId, at);
    const lines = openLines(cart, catalog);
    const subtotal = sum(lines.map((line) => line.gross));

    const usable = coupons.check(couponCodes, { customerId, at });
    const fromPromotions = choosePromotions(lines, { promotions: config.promotions, tier, at });
    const capped = capDiscounts(fromPromotions, percentOf(subtotal, config.maxDiscountPercent));
    for (const discount of capped) takeOff(lines, discount);

    const fromCoupons = [];
    for (const coupon of usable) {
      const offer = evaluateCoupon(coupon, lines);
      if (!offer) {
        logger.debug("coupon.skipped", { code: coupon.code, minimumSpend: coupon.minimumSpend });
        continue;
      }
      const discount = { source: "coupon", id: coupon.code, label: `Coupon ${coupon.code}`, ...offer };
      takeOff(lines, discount);
      fromCoupons.push(discount);
    }

    const discounts = [...capped, ...fromCoupons];
    const discountTotal = sum(discounts.map((discount) => discount.amount));
    const shipping = shippingFor({ lines, config });
    const total = subtotal - discountTotal + shipping.amount;
    const closed = lines.map(closeLine);

    logger.debug("quote.priced", { subtotal, discountTotal, shipping: shipping.amount, total });
    return {
      lines: closed,
      discounts: discounts.map(({ source, id, label, amount }) => ({ source, id, label, amount })),
      couponCodes: fromCoupons.map((discount) => discount.id),
      subtotal,
      discountTotal,
      shipping: shipping.amount,
      total: assertCents(total, "total"),
      vat: summarizeVat(closed, shipping.amount),
      missingToFreeShipping: missingToFreeShipping({ lines, config }),
    };
  }
}

/** The cart's lines with their prices; `remaining` shrinks as discounts are taken off. */
function openLines(cart, catalog) {
  return cart.lines.map(({ sku, quantity }) => {
    const product = catalog.get(sku);
    const gross = product.price * quantity;
    return {
      sku,
      name: product.name,
      category: product.category,
      grams: product.grams,
      quantity,
      unitPrice: product.price,
      gross,
      remaining: gross,
    };
  });
}

function closeLine({ remaining, grams: _, ...line }) {
  return { ...line, discount: line.gross - remaining, paid: remaining };
}

/**
 * The promotions that this cart gets. Those that may be combined are evaluated one after the other,
 * each on what the ones before it left. An exclusive one stands alone; the best exclusive one is
 * taken when it gives more than the combination.
 */
function choosePromotions(lines, { promotions, tier, at }) {
  const active = promotions.filter((promotion) => isActive(promotion, at));
  const combined = combinePromotions(
    lines,
    active.filter((promotion) => !promotion.exclusive),
    { tier, at },
  );
  let best = combined;
  for (const promotion of active.filter((candidate) => candidate.exclusive)) {
    const alone = combinePromotions(lines, [promotion], { tier, at });
    if (totalOf(alone) > totalOf(best)) best = alone;
  }
  return best;
}

function combinePromotions(lines, promotions, { tier, at }) {
  const scratch = lines.map((line) => ({ ...line }));
  const discounts = [];
  for (const promotion of promotions) {
    const offer = ruleFor(promotion.kind).evaluate(promotion, { lines: scratch, tier, at });
    if (!offer) continue;
    const discount = { source: "promotion", id: promotion.id, label: promotion.label, ...offer };
    takeOff(scratch, discount);
    discounts.push(discount);
  }
  return discounts;
}

/** Keeps discounts in order until the limit is reached; the one that crosses it is cut down to fit. */
function capDiscounts(discounts, limit) {
  const kept = [];
  let left = limit;
  for (const discount of discounts) {
    const amount = clamp(discount.amount, 0, left);
    if (amount === 0) break;
    kept.push({ ...discount, amount });
    left -= amount;
  }
  return kept;
}

/** Takes a discount off its lines, in proportion to what is left of them. */
function takeOff(lines, discount) {
  const weights = discount.lines.map((index) => lines[index].remaining);
  const shares = splitByWeight(discount.amount, weights);
  for (const [position, index] of discount.lines.entries()) {
    lines[index].remaining -= shares[position];
  }
}

function totalOf(discounts) {
  return sum(discounts.map((discount) => discount.amount));
}
