import { ValidationError } from "../errors.js";
import * as buyXGetY from "./buy-x-get-y.js";
import * as loyalty from "./loyalty.js";
import * as percentage from "./percentage.js";

/**
 * The promotion kinds. A rule module has two functions:
 *
 *   validate(promotion)            throws a ValidationError when a parameter is missing or wrong
 *   evaluate(promotion, context)   `{ amount, lines }`, or undefined when it does not apply
 *
 * `context` is `{ lines, tier, at }`. A line's `remaining` is what earlier promotions left of it; a
 * rule never gives more than that. `lines` in the answer are the indexes that the amount is split over.
 */
const RULES = new Map([
  ["percentage", percentage],
  ["buy-x-get-y", buyXGetY],
  ["loyalty", loyalty],
]);

export function ruleFor(kind) {
  const rule = RULES.get(kind);
  if (!rule) throw new ValidationError(`unknown promotion kind: ${kind}`, { kind });
  return rule;
}

/** What every kind has in common, then the kind's own parameters. */
export function validatePromotion(promotion) {
  const { id, kind, label, priority, startsAt, endsAt } = promotion;
  if (typeof id !== "string" || id === "")
    throw new ValidationError("a promotion needs an id", { promotion });
  if (typeof label !== "string" || label === "") throw new ValidationError(`promotion ${id} needs a label`);
  if (!Number.isInteger(priority)) throw new ValidationError(`promotion ${id} needs a priority`);
  for (const [name, date] of Object.entries({ startsAt, endsAt })) {
    if (date !== undefined && Number.isNaN(Date.parse(date))) {
      throw new ValidationError(`${name} of promotion ${id} is not a date: ${date}`);
    }
  }
  ruleFor(kind).validate(promotion);
}

/** Both ends are optional; the end itself is no longer included. */
export function isActive({ startsAt, endsAt }, at) {
  if (startsAt !== undefined && at.getTime() < Date.parse(startsAt)) return false;
  if (endsAt !== undefined && at.getTime() >= Date.parse(endsAt)) return false;
  return true;
}
