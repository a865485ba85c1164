import { parsePromotions } from "../src/config.js";
import { createMemoryLogger } from "../src/logger.js";
import { createService } from "../src/server.js";

export const NOON = new Date("2026-01-15T12:00:00Z");

const PRODUCTS = [
  { sku: "MUG", name: "Mug", category: "kitchen", price: 1000, grams: 300 },
  { sku: "TEA", name: "Tea", category: "food", price: 950, grams: 100 },
  { sku: "PEN", name: "Pen", category: "stationery", price: 200, grams: 10 },
  { sku: "NOTEBOOK", name: "Notebook", category: "stationery", price: 700, grams: 200 },
  { sku: "BOOK", name: "Book", category: "books", price: 2000, grams: 500 },
  { sku: "SAMPLE", name: "Sample", category: "samples", price: 0, grams: 50 },
];

const CUSTOMERS = [
  { id: "gold", name: "Gold", tier: "gold" },
  { id: "silver", name: "Silver", tier: "silver" },
  { id: "new", name: "New" },
];

/** A whole service in memory, at a fixed time, with only the promotions and coupons that a test names. */
export function testService({ promotions = [], coupons = [], products = PRODUCTS, ...settings } = {}) {
  const config = {
    currency: "EUR",
    maxDiscountPercent: 60,
    freeShippingFrom: 5000,
    shippingFlat: 490,
    shippingPerKilo: 120,
    ...parsePromotions(JSON.stringify({ promotions, coupons })),
    ...settings,
  };
  const logger = createMemoryLogger();
  const service = createService({ config, products, customerRecords: CUSTOMERS, logger, now: () => NOON });
  return { ...service, logger };
}

/** A promotion with the fields that a test does not care about filled in. */
export function promotion(kind, parameters) {
  return { id: `test-${kind}`, kind, label: `Test ${kind}`, priority: 10, ...parameters };
}
