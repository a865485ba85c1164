import { ValidationError } from "./errors.js";

const MAX_QUANTITY = 500;
const MAX_LINES = 100;

/**
 * What a customer wants to buy. A cart is a value: every function returns a new one, and a sku
 * stands on one line only.
 *
 *   addLine(addLine(emptyCart(), "MUG-01", 1), "MUG-01", 2)  ->  one line of three
 */
export function emptyCart() {
  return Object.freeze({ lines: Object.freeze([]) });
}

/** Reads the `lines` of a request body: `[{ sku, quantity }]`. */
export function cartFrom(lines) {
  if (!Array.isArray(lines)) throw new ValidationError("lines must be a list");
  if (lines.length === 0) throw new ValidationError("a cart needs at least one line");
  return lines.reduce((cart, line) => addLine(cart, line?.sku, line?.quantity ?? 1), emptyCart());
}

export function addLine(cart, sku, quantity) {
  checkSku(sku);
  checkQuantity(sku, quantity);
  const existing = quantityOf(cart, sku);
  if (existing > 0) return setQuantity(cart, sku, existing + quantity);
  if (cart.lines.length >= MAX_LINES) throw new ValidationError(`a cart holds at most ${MAX_LINES} lines`);
  return withLines([...cart.lines, { sku, quantity }]);
}

/** A quantity of zero removes the line. */
export function setQuantity(cart, sku, quantity) {
  checkSku(sku);
  if (quantity === 0) return withLines(cart.lines.filter((line) => line.sku !== sku));
  checkQuantity(sku, quantity);
  if (quantityOf(cart, sku) === 0) throw new ValidationError(`${sku} is not in the cart`, { sku });
  return withLines(cart.lines.map((line) => (line.sku === sku ? { sku, quantity } : line)));
}

export function quantityOf(cart, sku) {
  return cart.lines.find((line) => line.sku === sku)?.quantity ?? 0;
}

export function countUnits(cart) {
  return cart.lines.reduce((units, line) => units + line.quantity, 0);
}

function withLines(lines) {
  return Object.freeze({ lines: Object.freeze(lines.map((line) => Object.freeze(line))) });
}

function checkSku(sku) {
  if (typeof sku !== "string" || sku.trim() === "") throw new ValidationError("a line needs a sku", { sku });
}

function checkQuantity(sku, quantity) {
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > MAX_QUANTITY) {
    throw new ValidationError(`quantity of ${sku} must be between 1 and ${MAX_QUANTITY}`, { sku, quantity });
  }
}
