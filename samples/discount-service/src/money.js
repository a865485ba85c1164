/**
 * Amounts are whole cents everywhere in this service. Decimal strings exist only at the edges:
 * they are parsed on the way in and formatted on the way out.
 */
import { ValidationError } from "./errors.js";

const AMOUNT = /^(-?)(\d+)(?:\.(\d{1,2}))?$/;

/** "12.3" -> 1230 */
export function parseAmount(text) {
  const match = AMOUNT.exec(String(text).trim());
  if (!match) throw new ValidationError(`not an amount: ${text}`, { text });
  const [, sign, whole, fraction = ""] = match;
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  return sign === "-" ? -cents : cents;
}

/** 1230 -> "12.30 EUR" */
export function formatAmount(cents, currency = "EUR") {
  assertCents(cents);
  const sign = cents < 0 ? "-" : "";
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)} ${currency}`;
}

/** Throws unless the value is a whole, safe number of cents. Returns it. */
export function assertCents(value, name = "amount") {
  if (!Number.isSafeInteger(value)) {
    throw new ValidationError(`${name} must be a whole number of cents, got ${value}`, { name, value });
  }
  return value;
}

/** A share of an amount, rounded to the nearest cent; half a cent goes up. */
export function percentOf(cents, percent) {
  return Math.round((cents * percent) / 100);
}

export function sum(values) {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/**
 * Splits an amount in proportion to weights.
 *
 *   splitByWeight(100, [1, 3])  ->  [25, 75]
 *
 * With no weight at all there is nothing to split over, and every share is zero.
 */
export function splitByWeight(amount, weights) {
  assertCents(amount);
  const total = sum(weights);
  if (total === 0) return weights.map(() => 0);
  return weights.map((weight) => Math.round((amount * weight) / total));
}
