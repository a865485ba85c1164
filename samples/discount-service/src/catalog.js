import { NotFoundError, ValidationError } from "./errors.js";
import { assertCents } from "./money.js";

/** VAT in percent by product category. Prices in the catalog include it. */
export const VAT_RATES = { stationery: 19, books: 7, kitchen: 19, food: 7, samples: 19 };

/**
 * The products that can be sold.
 *
 * A product: `{ sku, name, category, price, grams, active? }`, the price in cents with VAT.
 */
export function createCatalog(products) {
  const bySku = new Map();
  for (const product of products) {
    validateProduct(product);
    if (bySku.has(product.sku)) throw new ValidationError(`sku ${product.sku} is listed twice`);
    bySku.set(product.sku, Object.freeze({ active: true, ...product }));
  }
  return { get, find, list, has: (sku) => bySku.has(sku) };

  /** Throws for what does not exist or is no longer sold. */
  function get(sku) {
    const product = bySku.get(sku);
    if (!product) throw new NotFoundError("product", sku);
    if (!product.active) throw new ValidationError(`product ${sku} is no longer sold`, { sku });
    return product;
  }

  /** Also finds products that are no longer sold: old orders refer to them. */
  function find(sku) {
    return bySku.get(sku);
  }

  function list({ category } = {}) {
    const products = [...bySku.values()].filter((product) => product.active);
    return category ? products.filter((product) => product.category === category) : products;
  }
}

function validateProduct(product) {
  if (typeof product.sku !== "string" || product.sku === "") {
    throw new ValidationError("a product needs a sku", { product });
  }
  assertCents(product.price, `price of ${product.sku}`);
  if (product.price < 0) throw new ValidationError(`price of ${product.sku} is negative`);
  if (!(product.category in VAT_RATES)) {
    throw new ValidationError(`product ${product.sku} has an unknown category: ${product.category}`);
  }
  if (!Number.isInteger(product.grams) || product.grams < 0) {
    throw new ValidationError(`weight of ${product.sku} must be a whole number of grams`);
  }
}
