import { NotFoundError, ValidationError } from "./errors.js";

/** From the lowest to the highest. */
export const TIERS = ["bronze", "silver", "gold"];

/** Spending in cents over the last twelve months that lifts a customer into a tier. */
const TIER_FROM = { bronze: 0, silver: 50_000, gold: 150_000 };

const YEAR = 365 * 24 * 60 * 60 * 1000;

/**
 * Customers and what they spent. A customer: `{ id, name, tier?, purchases? }`; a tier that is set
 * by hand wins over the one that follows from the purchases.
 */
export function createCustomers(records = []) {
  const byId = new Map();
  for (const record of records) add(record);
  return { add, get, tierOf, recordPurchase };

  function add(record) {
    if (!record.id) throw new ValidationError("a customer needs an id");
    if (record.tier !== undefined && !TIERS.includes(record.tier)) {
      throw new ValidationError(`customer ${record.id} has an unknown tier: ${record.tier}`);
    }
    byId.set(record.id, { ...record, purchases: [...(record.purchases ?? [])] });
  }

  function get(id) {
    const customer = byId.get(id);
    if (!customer) throw new NotFoundError("customer", id);
    return customer;
  }

  /** The tier at a moment: purchases older than a year no longer count. */
  function tierOf(id, at) {
    const customer = get(id);
    if (customer.tier) return customer.tier;
    const since = at.getTime() - YEAR;
    let spent = 0;
    for (const purchase of customer.purchases) {
      const time = Date.parse(purchase.at);
      if (time > since && time <= at.getTime()) spent += purchase.amount;
    }
    let tier = TIERS[0];
    for (const candidate of TIERS) if (spent >= TIER_FROM[candidate]) tier = candidate;
    return tier;
  }

  function recordPurchase(id, amount, at) {
    get(id).purchases.push({ amount, at: at.toISOString() });
  }
}
