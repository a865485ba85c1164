import { ConflictError, NotFoundError } from "./errors.js";
import { formatAmount, sum } from "./money.js";
import { rateFor, summarizeVat } from "./tax.js";

const WIDTH = 64;

/**
 * What the customer gets on paper. An invoice repeats the order, it never works prices out again:
 * the amounts here are the ones that were paid.
 */
export function invoiceFor(order) {
  if (order.state === "cancelled") {
    throw new ConflictError("no-invoice", `order ${order.id} was cancelled: there is no invoice`);
  }
  const positions = order.lines.map((line, index) => ({
    position: index + 1,
    sku: line.sku,
    name: line.name,
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    discount: line.discount,
    amount: line.paid,
    vatRate: rateFor(line.category),
  }));
  return {
    number: `INV-${order.id.slice("ORD-".length)}`,
    date: order.placedAt.slice(0, 10),
    positions,
    shipping: order.shipping,
    total: order.total,
    vat: order.vat,
  };
}

/** The counterpart of an invoice for one refund of an order. */
export function creditNoteFor(order, number) {
  const refund = order.refunds.find((candidate) => candidate.number === number);
  if (!refund) throw new NotFoundError("refund", `${order.id}/${number}`);
  const lines = refund.lines.map(({ sku, quantity, amount }) => {
    const { name, category } = order.lines.find((line) => line.sku === sku);
    return { sku, name, category, quantity, paid: amount };
  });
  return {
    number: `CRN-${order.id.slice("ORD-".length)}-${number}`,
    date: refund.at.slice(0, 10),
    positions: lines.map(({ sku, name, quantity, paid }) => ({ sku, name, quantity, amount: -paid })),
    total: -refund.amount,
    vat: summarizeVat(lines),
  };
}

/** A plain-text invoice for e-mails, 64 characters wide. */
export function renderInvoice(invoice) {
  const rule = "-".repeat(WIDTH);
  const text = [spread(`Invoice ${invoice.number}`, invoice.date), rule];
  for (const { quantity, name, amount, discount } of invoice.positions) {
    text.push(spread(`${quantity} × ${name}`, formatAmount(amount)));
    if (discount > 0) text.push(`    including ${formatAmount(discount)} off`);
  }
  text.push(rule);
  text.push(spread("Goods", formatAmount(sum(invoice.positions.map((position) => position.amount)))));
  text.push(spread("Shipping", formatAmount(invoice.shipping)));
  text.push(spread("Total", formatAmount(invoice.total)));
  for (const { rate, vat } of invoice.vat.byRate) {
    text.push(spread(`  including ${rate} % VAT`, formatAmount(vat)));
  }
  return `${text.join("\n")}\n`;
}

function spread(left, right) {
  return `${left}${right.padStart(Math.max(right.length + 1, WIDTH - left.length))}`;
}
