import { ValidationError } from "../errors.js";
import { percentOf, sum } from "../money.js";

/**
 * The more units of the listed skus, the larger the share off all of them. Units are counted together.
 *
 *   { kind: "volume", skus: ["NTB-20", "NTB-21"], tiers: [{ from: 10, percent: 5 }, { from: 25, percent: 9 }] }
 *
 *   NTB-20 × 6, NTB-21 × 5  ->  eleven units, 5 % off both lines
 */
export function validate(promotion) {
  const { id, skus, tiers } = promotion;
  if (!Array.isArray(skus) || skus.length === 0 || skus.some((sku) => typeof sku !== "string")) {
    throw new ValidationError(`promotion ${id} needs a list of skus`, { skus });
  }
  if (!Array.isArray(tiers) || tiers.length === 0) {
    throw new ValidationError(`promotion ${id} needs at least one tier`, { tiers });
  }
  for (const { from, percent } of tiers) {
    if (!Number.isInteger(from) || from < 2) {
      throw new ValidationError(`a tier of promotion ${id} must start at 2 units or more`, { from });
    }
    if (typeof percent !== "number" || percent <= 0 || percent > 100) {
      throw new ValidationError(`a tier of promotion ${id} must give above 0 and at most 100 %`, { percent });
    }
  }
}

export function evaluate({ skus, tiers }, { lines }) {
  const matching = [...lines.keys()].filter((index) => skus.includes(lines[index].sku));
  if (matching.length === 0) return undefined;
  const quantity = sum(matching.map((index) => lines[index].quantity));
  const reached = tiers.findLast((tier) => quantity >= tier.from);
  const next = tiers.find((tier) => quantity < tier.from);
  const amount = percentOf(sum(matching.map((index) => lines[index].remaining)), reached.percent);
  return amount > 0 ? { amount, lines: matching, detail: { quantity, reached, next } } : undefined;
}
