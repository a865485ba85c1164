import { clamp, splitByWeight, sum } from "./money.js";
import { isActive } from "./rules/index.js";

/**
 * How discounts combine. A discount:
 *
 *   { source, id, label, amount, lines, detail? }
 *
 * `lines` are the indexes of the lines that the amount is split over. Nothing here changes a line
 * but `takeOff`; the rest works on copies.
 */

/**
 * The promotions that this cart gets. Those that may be combined are evaluated one after the other,
 * each on what the ones before it left. An exclusive one stands alone; the best exclusive one is
 * taken when it gives more than the combination.
 */
export function choosePromotions(lines, { promotions, tier, at }) {
  const active = promotions.filter((promotion) => isActive(promotion, at));
  const combinable = active.filter((promotion) => !promotion.exclusive);
  let best = combinePromotions(lines, combinable, { tier, at });
  for (const promotion of active.filter((candidate) => candidate.exclusive)) {
    const alone = combinePromotions(lines, [promotion], { tier, at });
    if (totalOf(alone) > totalOf(best)) best = alone;
  }
  return best;
}

/** Keeps discounts in order until the limit is reached; the one that crosses it is cut down to fit. */
export function capDiscounts(discounts, limit) {
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
export function takeOff(lines, discount) {
  const weights = discount.lines.map((index) => lines[index].remaining);
  const shares = splitByWeight(discount.amount, weights);
  for (const [position, index] of discount.lines.entries()) {
    lines[index].remaining -= shares[position];
  }
}

export function totalOf(discounts) {
  return sum(discounts.map((discount) => discount.amount));
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
