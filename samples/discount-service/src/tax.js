import { VAT_RATES } from "./catalog.js";
import { ValidationError } from "./errors.js";
import { sum } from "./money.js";

/**
 * The VAT that is contained in a gross amount.
 *
 *   includedVat(1190, 19)  ->  190
 */
export function includedVat(gross, rate) {
  return Math.round((gross * rate) / (100 + rate));
}

export function rateFor(category) {
  const rate = VAT_RATES[category];
  if (rate === undefined) throw new ValidationError(`no VAT rate for category ${category}`, { category });
  return rate;
}

/**
 * VAT by rate, as an invoice lists it. Shipping follows the goods: it is taxed at the rate that
 * most of the order's value has, the higher one when two are level.
 *
 * The VAT is worked out on each rate's total, not line by line: that is what the tax office asks for,
 * and it keeps the rounding to one cent per rate.
 */
export function summarizeVat(lines, shipping = 0) {
  const totals = new Map();
  for (const line of lines) {
    const rate = rateFor(line.category);
    totals.set(rate, (totals.get(rate) ?? 0) + line.paid);
  }
  if (shipping > 0) {
    const rate = leadingRate(totals);
    totals.set(rate, (totals.get(rate) ?? 0) + shipping);
  }
  const rates = [...totals.keys()].sort((a, b) => b - a);
  const byRate = rates.map((rate) => {
    const gross = totals.get(rate);
    const vat = includedVat(gross, rate);
    return { rate, gross, net: gross - vat, vat };
  });
  return { byRate, total: sum(byRate.map((entry) => entry.vat)) };
}

function leadingRate(totals) {
  let leading;
  for (const [rate, gross] of totals) {
    const best = leading === undefined ? -1 : totals.get(leading);
    if (gross > best || (gross === best && rate > leading)) leading = rate;
  }
  return leading ?? Math.max(...Object.values(VAT_RATES));
}
