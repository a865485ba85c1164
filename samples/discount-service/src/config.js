/**
 * The configuration: defaults, overridden by the environment, plus the promotions and coupons from
 * a JSON file. Everything is checked at start-up, so that a bad promotion never reaches a customer.
 */
import { readFileSync } from "node:fs";
import { ValidationError } from "./errors.js";
import { validatePromotion } from "./rules/index.js";

const DEFAULTS = {
  port: 8080,
  logLevel: "info",
  currency: "EUR",
  maxDiscountPercent: 60,
  freeShippingFrom: 5000,
  shippingFlat: 490,
  shippingPerKilo: 120,
  promotionsFile: "config/promotions.json",
};

const FROM_ENVIRONMENT = {
  PORT: ["port", toInteger],
  LOG_LEVEL: ["logLevel", String],
  MAX_DISCOUNT_PERCENT: ["maxDiscountPercent", toInteger],
  FREE_SHIPPING_FROM: ["freeShippingFrom", toInteger],
  PROMOTIONS_FILE: ["promotionsFile", String],
};

export function loadConfig(environment = {}, readFile = (path) => readFileSync(path, "utf8")) {
  const config = { ...DEFAULTS };
  for (const [variable, [key, convert]] of Object.entries(FROM_ENVIRONMENT)) {
    const value = environment[variable];
    if (value !== undefined && value !== "") config[key] = convert(value, variable);
  }
  if (config.maxDiscountPercent < 0 || config.maxDiscountPercent > 100) {
    throw new ValidationError("maxDiscountPercent must be between 0 and 100", {
      maxDiscountPercent: config.maxDiscountPercent,
    });
  }
  const { promotions, coupons } = parsePromotions(readFile(config.promotionsFile), config.promotionsFile);
  return Object.freeze({ ...config, promotions, coupons });
}

/** Promotions come back in the order in which they are evaluated. */
export function parsePromotions(text, file = "promotions") {
  const data = parseJson(text, file);
  const promotions = data.promotions ?? [];
  const coupons = data.coupons ?? [];
  const ids = new Set();
  for (const promotion of promotions) {
    validatePromotion(promotion);
    if (ids.has(promotion.id)) throw new ValidationError(`promotion ${promotion.id} is listed twice`);
    ids.add(promotion.id);
  }
  return {
    promotions: [...promotions].sort((a, b) => a.priority - b.priority),
    coupons,
  };
}

function parseJson(text, file) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ValidationError(`${file} is not valid JSON: ${error.message}`, { file });
  }
}

function toInteger(text, variable) {
  const value = Number(text);
  if (!Number.isInteger(value)) throw new ValidationError(`${variable} must be a whole number, got ${text}`);
  return value;
}
