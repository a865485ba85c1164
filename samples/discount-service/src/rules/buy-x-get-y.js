import { ValidationError } from "../errors.js";

/**
 * Of every `buy + free` units among the listed skus, the `free` cheapest cost nothing.
 *
 *   { kind: "buy-x-get-y", buy: 2, free: 1, skus: ["MUG-01", "MUG-02"] }
 *
 *   MUG-01 × 2 at 12.50, MUG-02 × 1 at 9.90  ->  9.90 off
 */
export function validate(promotion) {
  const { id, buy, free, skus } = promotion;
  for (const [name, value] of Object.entries({ buy, free })) {
    if (!Number.isInteger(value) || value < 1) {
      throw new ValidationError(`${name} of promotion ${id} must be a whole number of at least 1`, { value });
    }
  }
  if (!Array.isArray(skus) || skus.length === 0 || skus.some((sku) => typeof sku !== "string")) {
    throw new ValidationError(`promotion ${id} needs a list of skus`, { skus });
  }
}

export function evaluate({ buy, free, skus }, { lines }) {
  const units = cheapestFirst(lines, skus);
  const freeUnits = Math.floor(units.length / (buy + free)) * free;
  if (freeUnits === 0) return undefined;
  const touched = new Set();
  let amount = 0;
  for (const unit of units.slice(0, freeUnits)) {
    amount += unit.price;
    touched.add(unit.index);
  }
  return amount > 0 ? { amount, lines: [...touched].sort((a, b) => a - b) } : undefined;
}

/** One entry per unit, at the price that earlier promotions left of it. */
function cheapestFirst(lines, skus) {
  const units = [];
  for (const [index, line] of lines.entries()) {
    if (!skus.includes(line.sku)) continue;
    const price = Math.floor(line.remaining / line.quantity);
    for (let unit = 0; unit < line.quantity; unit++) units.push({ index, price });
  }
  return units.sort((a, b) => a.price - b.price || a.index - b.index);
}
