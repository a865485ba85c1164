import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cartFrom } from "../src/cart.js";
import { creditNoteFor, invoiceFor, renderInvoice } from "../src/invoices.js";
import { NOON, promotion, testService } from "../tools/memory-service.js";

function placed(lines) {
  const service = testService({ promotions: [promotion("percentage", { percent: 10 })] });
  const quote = service.pricing.quote({ cart: cartFrom(lines), at: NOON });
  return { service, order: service.orders.place(quote, { at: NOON }) };
}

describe("invoices", () => {
  it("repeats what was paid", () => {
    const invoice = invoiceFor(placed([{ sku: "MUG", quantity: 2 }]).order);
    assert.equal(invoice.number, "INV-1000");
    assert.equal(invoice.positions[0].amount, 1800);
    assert.equal(invoice.total, 2290);
  });

  it("does not exist for a cancelled order", () => {
    const { service, order } = placed([{ sku: "MUG" }]);
    service.orders.cancel(order.id);
    assert.throws(() => invoiceFor(order), { code: "no-invoice" });
  });

  it("turns a refund into a credit note", () => {
    const { service, order } = placed([{ sku: "MUG", quantity: 2 }, { sku: "BOOK" }]);
    service.orders.ship(order.id);
    service.orders.refund(order.id, { lines: [{ sku: "BOOK", quantity: 1 }], at: NOON });
    const note = creditNoteFor(order, 1);
    assert.equal(note.total, -1800);
    assert.equal(note.vat.byRate[0].rate, 7);
  });

  it("reads well as text", () => {
    const text = renderInvoice(invoiceFor(placed([{ sku: "MUG", quantity: 2 }]).order));
    assert.match(text, /^Invoice INV-1000 +2026-01-15\n/);
    assert.match(text, /2 × Mug +18\.00 EUR\n {4}including 2\.00 EUR off\n/);
  });
});
