import { TIERS } from "../customers.js";
import { ValidationError } from "../errors.js";
import { percentOf, sum } from "../money.js";

/**
 * A share off everything, by the customer's tier. Guests get nothing, samples don't count.
 *
 *   { kind: "loyalty", percents: { silver: 3, gold: 7.5 } }
 */
export function validate(promotion) {
  const { id, percents } = promotion;
  if (typeof percents !== "object" || percents === null || Object.keys(percents).length === 0) {
    throw new ValidationError(`promotion ${id} needs percents by tier`, { percents });
  }
  for (const [tier, percent] of Object.entries(percents)) {
    if (!TIERS.includes(tier)) throw new ValidationError(`promotion ${id} names an unknown tier: ${tier}`);
    if (typeof percent !== "number" || percent <= 0 || percent > 100) {
      throw new ValidationError(`percent for ${tier} in promotion ${id} must be above 0 and at most 100`);
    }
  }
  const inOrder = TIERS.filter((tier) => tier in percents).map((tier) => percents[tier]);
  if (inOrder.some((percent, index) => index > 0 && percent < inOrder[index - 1])) {
    throw new ValidationError(`promotion ${id} gives a higher tier less than a lower one`);
  }
}

export function evaluate({ percents }, { lines, tier }) {
  const percent = tier === undefined ? undefined : percents[tier];
  if (percent === undefined) return undefined;
  const matching = [];
  for (const [index, line] of lines.entries()) {
    if (line.category !== "samples") matching.push(index);
  }
  const amount = percentOf(sum(matching.map((index) => lines[index].remaining)), percent);
  return amount > 0 ? { amount, lines: matching } : undefined;
}
