import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addLine, cartFrom, countUnits, emptyCart, quantityOf, setQuantity } from "../src/cart.js";

describe("cart", () => {
  it("puts a sku on one line", () => {
    const cart = addLine(addLine(emptyCart(), "MUG", 1), "MUG", 2);
    assert.deepEqual(cart.lines, [{ sku: "MUG", quantity: 3 }]);
  });

  it("leaves the cart that it was given alone", () => {
    const before = addLine(emptyCart(), "MUG", 1);
    addLine(before, "TEA", 1);
    assert.equal(before.lines.length, 1);
  });

  it("takes a missing quantity for one", () => {
    assert.equal(quantityOf(cartFrom([{ sku: "MUG" }]), "MUG"), 1);
  });

  it("removes a line with a quantity of zero", () => {
    const cart = setQuantity(cartFrom([{ sku: "MUG" }, { sku: "TEA" }]), "MUG", 0);
    assert.deepEqual(cart.lines, [{ sku: "TEA", quantity: 1 }]);
  });

  it("counts units over all lines", () => {
    const cart = cartFrom([
      { sku: "MUG", quantity: 2 },
      { sku: "TEA", quantity: 3 },
    ]);
    assert.equal(countUnits(cart), 5);
  });

  for (const quantity of [0, -1, 1.5, 501, "2"]) {
    it(`refuses a quantity of ${JSON.stringify(quantity)}`, () => {
      assert.throws(() => cartFrom([{ sku: "MUG", quantity }]), /quantity of MUG/);
    });
  }

  it("refuses an empty list", () => assert.throws(() => cartFrom([]), /at least one line/));
  it("refuses a line without a sku", () => assert.throws(() => cartFrom([{ quantity: 1 }]), /needs a sku/));
  it("refuses to change what is not there", () => {
    assert.throws(() => setQuantity(emptyCart(), "MUG", 2), /not in the cart/);
  });
});
