import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isActive, ruleFor, validatePromotion } from "../src/rules/index.js";
import { NOON, promotion } from "../tools/memory-service.js";

/** Lines as the rules see them: `line("MUG", 2, 1000)` is two mugs at 10.00 each. */
function line(sku, quantity, unitPrice, category = "kitchen") {
  return { sku, quantity, unitPrice, category, gross: quantity * unitPrice, remaining: quantity * unitPrice };
}

function evaluate(kind, parameters, lines, tier) {
  return ruleFor(kind).evaluate(promotion(kind, parameters), { lines, tier, at: NOON });
}

describe("rules", () => {
  describe("percentage", () => {
    const lines = [line("MUG", 1, 1000), line("BOOK", 1, 2000, "books")];

    it("takes a share of everything", () => {
      assert.deepEqual(evaluate("percentage", { percent: 10 }, lines), { amount: 300, lines: [0, 1] });
    });

    it("keeps to its category", () => {
      const offer = evaluate("percentage", { percent: 10, category: "books" }, lines);
      assert.deepEqual(offer, { amount: 200, lines: [1] });
    });

    it("keeps to its skus", () => {
      const offer = evaluate("percentage", { percent: 10, skus: ["MUG"] }, lines);
      assert.deepEqual(offer, { amount: 100, lines: [0] });
    });

    it("does not apply when nothing matches", () => {
      assert.equal(evaluate("percentage", { percent: 10, category: "food" }, lines), undefined);
    });
  });

  describe("buy-x-get-y", () => {
    const parameters = { buy: 2, free: 1, skus: ["MUG", "CUP"] };

    it("makes the cheapest unit free", () => {
      const offer = evaluate("buy-x-get-y", parameters, [line("MUG", 2, 1250), line("CUP", 1, 990)]);
      assert.deepEqual(offer, { amount: 990, lines: [1] });
    });

    it("needs a full set", () => {
      assert.equal(evaluate("buy-x-get-y", parameters, [line("MUG", 2, 1250)]), undefined);
    });

    it("gives one free unit per set", () => {
      assert.equal(evaluate("buy-x-get-y", parameters, [line("MUG", 7, 1000)]).amount, 2000);
    });
  });

  describe("loyalty", () => {
    const percents = { silver: 3, gold: 7.5 };
    const lines = [line("MUG", 1, 1000), line("SAMPLE", 1, 0, "samples")];

    it("depends on the tier", () => {
      assert.equal(evaluate("loyalty", { percents }, lines, "silver").amount, 30);
      assert.equal(evaluate("loyalty", { percents }, lines, "gold").amount, 75);
    });

    it("gives guests and lower tiers nothing", () => {
      assert.equal(evaluate("loyalty", { percents }, lines), undefined);
      assert.equal(evaluate("loyalty", { percents }, lines, "bronze"), undefined);
    });

    it("leaves samples out", () => {
      assert.deepEqual(evaluate("loyalty", { percents }, lines, "gold").lines, [0]);
    });
  });

  describe("validatePromotion", () => {
    for (const [what, broken, message] of [
      ["an unknown kind", promotion("lottery", {}), /unknown promotion kind/],
      ["a percent above 100", promotion("percentage", { percent: 101 }), /at most 100/],
      [
        "a category beside skus",
        promotion("percentage", { percent: 5, category: "food", skus: [] }),
        /choose one/,
      ],
      [
        "a free count of zero",
        promotion("buy-x-get-y", { buy: 2, free: 0, skus: ["MUG"] }),
        /free of promotion/,
      ],
      ["an unknown tier", promotion("loyalty", { percents: { platinum: 5 } }), /unknown tier/],
      [
        "tiers in the wrong order",
        promotion("loyalty", { percents: { silver: 5, gold: 3 } }),
        /less than a lower/,
      ],
      ["a date that is none", promotion("percentage", { percent: 5, endsAt: "soon" }), /not a date/],
    ]) {
      it(`refuses ${what}`, () => assert.throws(() => validatePromotion(broken), message));
    }
  });

  it("isActive leaves the end out", () => {
    assert.equal(isActive({ startsAt: NOON.toISOString() }, NOON), true);
    assert.equal(isActive({ endsAt: NOON.toISOString() }, NOON), false);
  });
});
