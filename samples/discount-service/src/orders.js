import { ConflictError, NotFoundError, ValidationError } from "./errors.js";
import { formatAmount, sum } from "./money.js";

/**
 * Placed orders, cancellations and refunds. An order keeps the quote that it was placed with: prices
 * and promotions may change later, the order doesn't.
 *
 * States: placed -> shipped -> refunded (in part or in full), or placed -> cancelled.
 */
export function createOrders({ coupons, customers, logger, firstNumber = 1000 }) {
  const byId = new Map();
  const byKey = new Map();
  let next = firstNumber;
  return { place, get, list, ship, cancel, refund };

  /** Placing twice with the same key gives the first order back. */
  function place(quote, { customerId, idempotencyKey, at }) {
    if (idempotencyKey !== undefined && byKey.has(idempotencyKey)) return get(byKey.get(idempotencyKey));
    const id = `ORD-${next++}`;
    const order = {
      id,
      customerId,
      placedAt: at.toISOString(),
      state: "placed",
      lines: quote.lines.map((line) => ({ ...line, refundedQuantity: 0, refundedAmount: 0 })),
      discounts: quote.discounts,
      couponCodes: quote.couponCodes,
      subtotal: quote.subtotal,
      shipping: quote.shipping,
      total: quote.total,
      vat: quote.vat,
      refunds: [],
    };
    byId.set(id, order);
    if (idempotencyKey !== undefined) byKey.set(idempotencyKey, id);
    coupons.redeem(quote.couponCodes, { customerId, orderId: id });
    if (customerId !== undefined) customers.recordPurchase(customerId, quote.total, at);
    logger.info("order.placed", {
      id,
      customer: customerId ?? "guest",
      lines: order.lines.length,
      coupons: order.couponCodes.length > 0 ? order.couponCodes : undefined,
      total: formatAmount(order.total),
    });
    return order;
  }

  function get(id) {
    const order = byId.get(id);
    if (!order) throw new NotFoundError("order", id);
    return order;
  }

  function list({ customerId, state } = {}) {
    return [...byId.values()].filter(
      (order) =>
        (customerId === undefined || order.customerId === customerId) &&
        (state === undefined || order.state === state),
    );
  }

  function ship(id) {
    const order = get(id);
    if (order.state !== "placed") throw wrongState(order, "shipped");
    order.state = "shipped";
    logger.info("order.shipped", { id });
    return order;
  }

  /** Before shipping everything is given back, shipping included, and the coupons can be used again. */
  function cancel(id) {
    const order = get(id);
    if (order.state !== "placed") throw wrongState(order, "cancelled");
    order.state = "cancelled";
    coupons.release(id);
    logger.info("order.cancelled", { id, amount: formatAmount(order.total) });
    return { orderId: id, amount: order.total };
  }

  /**
   * Gives goods back after shipping; without `lines` all that is left. Shipping itself is not refunded.
   * Parts of a line are worked out on the running total, so that they add up to the whole line.
   */
  function refund(id, { lines, at }) {
    const order = get(id);
    if (order.state !== "shipped" && order.state !== "partly-refunded") throw wrongState(order, "refunded");
    const wanted = lines ?? everythingLeft(order);
    if (wanted.length === 0) throw new ValidationError("there is nothing left to refund", { id });
    const parts = wanted.map(({ sku, quantity }) => refundLine(order, sku, quantity));
    for (const { line, quantity, amount } of parts) {
      line.refundedQuantity += quantity;
      line.refundedAmount += amount;
    }
    const amount = sum(parts.map((part) => part.amount));
    const refunded = {
      number: order.refunds.length + 1,
      at: at.toISOString(),
      amount,
      lines: parts.map((part) => ({ sku: part.line.sku, quantity: part.quantity, amount: part.amount })),
    };
    order.refunds.push(refunded);
    order.state = everythingLeft(order).length === 0 ? "refunded" : "partly-refunded";
    logger.info("order.refunded", {
      id,
      number: refunded.number,
      amount: formatAmount(amount),
      state: order.state,
    });
    return refunded;
  }
}

function refundLine(order, sku, quantity) {
  const line = order.lines.find((candidate) => candidate.sku === sku);
  if (!line) throw new ValidationError(`order ${order.id} has no line ${sku}`, { sku });
  const left = line.quantity - line.refundedQuantity;
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > left) {
    throw new ValidationError(`order ${order.id} has ${left} of ${sku} left to refund`, {
      sku,
      quantity,
      left,
    });
  }
  const after = Math.round((line.paid * (line.refundedQuantity + quantity)) / line.quantity);
  return { line, quantity, amount: after - line.refundedAmount };
}

function everythingLeft(order) {
  return order.lines
    .filter((line) => line.refundedQuantity < line.quantity)
    .map((line) => ({ sku: line.sku, quantity: line.quantity - line.refundedQuantity }));
}

function wrongState(order, wanted) {
  return new ConflictError("wrong-state", `order ${order.id} is ${order.state} and can't be ${wanted}`, {
    id: order.id,
    state: order.state,
  });
}
