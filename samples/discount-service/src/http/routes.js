import { cartFrom } from "../cart.js";
import { ValidationError } from "../errors.js";
import { creditNoteFor, invoiceFor } from "../invoices.js";
import { formatAmount } from "../money.js";

/** Wires the service's operations to paths. Bodies carry cents; `display` repeats them for people. */
export function addRoutes(router, { pricing, orders, now }) {
  router.on("GET", "/health", () => ({ body: { status: "ok" } }));

  router.on("POST", "/quotes", ({ body }) => {
    const quote = pricing.quote(readQuoteRequest(body, now()));
    return { body: presentQuote(quote) };
  });

  router.on("POST", "/orders", ({ body }) => {
    const request = readQuoteRequest(body, now());
    const { idempotencyKey } = body;
    if (typeof idempotencyKey !== "string" || idempotencyKey === "") {
      throw new ValidationError("an order needs an idempotencyKey");
    }
    const quote = pricing.quote(request);
    const order = orders.place(quote, { customerId: request.customerId, idempotencyKey, at: request.at });
    return { status: 201, body: presentOrder(order) };
  });

  router.on("GET", "/orders/:id", ({ params }) => ({ body: presentOrder(orders.get(params.id)) }));

  router.on("GET", "/orders/:id/invoice", ({ params }) => ({ body: invoiceFor(orders.get(params.id)) }));

  router.on("GET", "/orders/:id/credit-notes/:number", ({ params }) => ({
    body: creditNoteFor(orders.get(params.id), Number(params.number)),
  }));

  router.on("POST", "/orders/:id/shipment", ({ params }) => ({ body: presentOrder(orders.ship(params.id)) }));

  router.on("DELETE", "/orders/:id", ({ params }) => ({ body: orders.cancel(params.id) }));

  router.on("POST", "/orders/:id/refunds", ({ params, body }) => {
    const refund = orders.refund(params.id, { lines: readRefundLines(body), at: now() });
    return { status: 201, body: refund };
  });
}

function readQuoteRequest(body, at) {
  if (typeof body !== "object" || body === null) throw new ValidationError("a JSON body is needed");
  const { customerId, lines, couponCodes = [] } = body;
  if (!Array.isArray(couponCodes)) throw new ValidationError("couponCodes must be a list");
  return { cart: cartFrom(lines), customerId, couponCodes, at };
}

/** Left out: everything that can still be refunded. */
function readRefundLines(body) {
  if (body?.lines === undefined) return undefined;
  if (!Array.isArray(body.lines)) throw new ValidationError("lines must be a list");
  return body.lines.map(({ sku, quantity }) => ({ sku, quantity }));
}

function presentQuote(quote) {
  return {
    lines: quote.lines,
    discounts: quote.discounts,
    subtotal: quote.subtotal,
    discountTotal: quote.discountTotal,
    shipping: quote.shipping,
    total: quote.total,
    vat: quote.vat,
    missingToFreeShipping: quote.missingToFreeShipping,
    display: {
      subtotal: formatAmount(quote.subtotal),
      discount: formatAmount(-quote.discountTotal),
      shipping: formatAmount(quote.shipping),
      total: formatAmount(quote.total),
    },
  };
}

function presentOrder(order) {
  return { ...order, display: { total: formatAmount(order.total) } };
}
