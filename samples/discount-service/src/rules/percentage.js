import { ValidationError } from "../errors.js";
import { percentOf, sum } from "../money.js";

/**
 * A share off the matching lines; without `category` and `skus` every line matches.
 *
 *   { kind: "percentage", percent: 20, category: "books" }
 */
export function validate(promotion) {
  const { id, percent, category, skus } = promotion;
  if (typeof percent !== "number" || percent <= 0 || percent > 100) {
    throw new ValidationError(`percent of promotion ${id} must be above 0 and at most 100`, { percent });
  }
  if (category !== undefined && typeof category !== "string") {
    throw new ValidationError(`category of promotion ${id} must be a string`, { category });
  }
  if (skus !== undefined && !(Array.isArray(skus) && skus.every((sku) => typeof sku === "string"))) {
    throw new ValidationError(`skus of promotion ${id} must be a list of strings`, { skus });
  }
  if (category !== undefined && skus !== undefined) {
    throw new ValidationError(`promotion ${id} has both a category and skus: choose one`);
  }
}

export function evaluate(promotion, { lines }) {
  const matching = [];
  for (const [index, line] of lines.entries()) {
    if (matches(promotion, line) && line.remaining > 0) matching.push(index);
  }
  const base = sum(matching.map((index) => lines[index].remaining));
  const amount = percentOf(base, promotion.percent);
  return amount > 0 ? { amount, lines: matching } : undefined;
}

function matches({ category, skus }, line) {
  if (category !== undefined) return line.category === category;
  if (skus !== undefined) return skus.includes(line.sku);
  return true;
}
