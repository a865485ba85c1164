import { bash, edit, failing, fetchPage, grep, read, runTests, todo, write } from "./calls.mjs";

const TODOS = [
  ["Record totals before the change", "Recording totals"],
  ["Move stacking into src/stacking.js", "Moving stacking"],
  ["Compare totals, run all tests", "Comparing totals"],
  ["Tests for stacking on its own", "Writing tests for stacking"],
  ["Answer the question about free units", "Checking free units"],
];

const CHOOSE = `/**
 * The promotions that this cart gets. Those that may be combined are evaluated one after the other,
 * each on what the ones before it left. An exclusive one stands alone; the best exclusive one is
 * taken when it gives more than the combination.
 */
function choosePromotions(lines, { promotions, tier, at }) {
  const active = promotions.filter((promotion) => isActive(promotion, at));
  const combined = combinePromotions(
    lines,
    active.filter((promotion) => !promotion.exclusive),
    { tier, at },
  );
  let best = combined;
  for (const promotion of active.filter((candidate) => candidate.exclusive)) {
    const alone = combinePromotions(lines, [promotion], { tier, at });
    if (totalOf(alone) > totalOf(best)) best = alone;
  }
  return best;
}

function combinePromotions(lines, promotions, { tier, at }) {
  const scratch = lines.map((line) => ({ ...line }));
  const discounts = [];
  for (const promotion of promotions) {
    const offer = ruleFor(promotion.kind).evaluate(promotion, { lines: scratch, tier, at });
    if (!offer) continue;
    const discount = { source: "promotion", id: promotion.id, label: promotion.label, ...offer };
    takeOff(scratch, discount);
    discounts.push(discount);
  }
  return discounts;
}

`;

const CAP = `/** Keeps discounts in order until the limit is reached; the one that crosses it is cut down to fit. */
function capDiscounts(discounts, limit) {
  const kept = [];
  let left = limit;
  for (const discount of discounts) {
    const amount = clamp(discount.amount, 0, left);
    if (amount === 0) break;
    kept.push({ ...discount, amount });
    left -= amount;
  }
  return kept;
}

/** Takes a discount off its lines, in proportion to what is left of them. */
function takeOff(lines, discount) {
  const weights = discount.lines.map((index) => lines[index].remaining);
  const shares = splitByWeight(discount.amount, weights);
  for (const [position, index] of discount.lines.entries()) {
    lines[index].remaining -= shares[position];
  }
}

function totalOf(discounts) {
  return sum(discounts.map((discount) => discount.amount));
}
`;

const TOTALS = "node tools/replay.js fixtures/orders.json --totals | git hash-object --stdin";

const FREE_UNITS = `node --input-type=module -e "
import { cartFrom } from './src/cart.js';
import { NOON, promotion, testService } from './tools/memory-service.js';
const free = promotion('buy-x-get-y', { buy: 2, free: 1, skus: ['NOTEBOOK'] });
const volume = promotion('volume', { skus: ['NOTEBOOK'], tiers: [{ from: 10, percent: 5 }], priority: 30 });
const { pricing } = testService({ promotions: [free, volume] });
for (const quantity of [9, 10, 12]) {
  const quote = pricing.quote({ cart: cartFrom([{ sku: 'NOTEBOOK', quantity }]), at: NOON });
  console.log(quantity, quote.subtotal, JSON.stringify(quote.discounts.map(({ id, amount, detail }) => ({ id, amount, detail }))));
}"`;

/** The third turn: stacking moves out of pricing, and a question. */
export const refactor = {
  pauseSeconds: 9 * 60 + 12,
  committed: ["2026-01-20T09:50:46Z", "Volume promotions"],
  user: `Committed, thanks. pricing.js now mixes two things: pricing a cart, and how discounts combine. Please move the second (choosing, combining, capping, taking off) into src/stacking.js, without any change in behaviour, and give it tests of its own.

And a question about the volume rule: if another promotion has already made some of the notebooks free, do those units still count towards the tier? What does the description say, and what do we do?`,
  steps: [
    {
      text: "I'll record what the service computes before the change, so that I can compare afterwards.",
      calls: [
        bash("git status", "Show the state of the working tree"),
        bash(TOTALS, "Hash the totals of all recorded orders"),
        runTests(),
        todo(0, ...TODOS),
      ],
    },
    {
      calls: [
        read("src/pricing.js"),
        grep("pricing.js"),
        grep("takeOff|capDiscounts|choosePromotions|totalOf"),
      ],
    },
    {
      thinking:
        "All four functions are private to pricing.js, so nobody imports them. takeOff is used by quote too (coupons), so it's exported. totalOf can be reused for discountTotal. Write stacking.js, then remove the functions from pricing.js and fix imports.",
      text: "Nothing outside of `pricing.js` uses them, so the move is safe. `quote` keeps `choosePromotions`, `capDiscounts` and `takeOff`.",
      calls: [write("src/stacking.js"), todo(1, ...TODOS)],
    },
    {
      calls: [
        edit("src/pricing.js", CHOOSE, ""),
        edit("src/pricing.js", `\n${CAP}`, ""),
        edit(
          "src/pricing.js",
          `import { assertCents, clamp, percentOf, splitByWeight, sum } from "./money.js";
import { isActive, ruleFor } from "./rules/index.js";
import { missingToFreeShipping, shippingFor } from "./shipping.js";
import { summarizeVat } from "./tax.js";`,
          `import { assertCents, percentOf, sum } from "./money.js";
import { missingToFreeShipping, shippingFor } from "./shipping.js";
import { capDiscounts, choosePromotions, takeOff, totalOf } from "./stacking.js";
import { summarizeVat } from "./tax.js";`,
        ),
        edit(
          "src/pricing.js",
          `    const discountTotal = sum(discounts.map((discount) => discount.amount));`,
          `    const discountTotal = totalOf(discounts);`,
        ),
      ],
    },
    {
      calls: [failing(runTests("pricing", "http", "volume"))],
    },
    {
      text: "I left an import behind: `stacking.js` uses `ruleFor`.",
      calls: [
        edit(
          "src/stacking.js",
          `import { isActive } from "./rules/index.js";`,
          `import { isActive, ruleFor } from "./rules/index.js";`,
        ),
      ],
    },
    {
      calls: [runTests("pricing", "http", "volume"), bash(TOTALS, "Hash the totals of all recorded orders")],
    },
    {
      text: "Same hash as before: every total and every refund of the recorded week is unchanged. Now the tests.",
      calls: [write("test/stacking.test.js"), todo(3, ...TODOS)],
    },
    {
      calls: [runTests("stacking"), read("src/pricing.js"), read("src/stacking.js")],
    },
    {
      text: "Both files read well on their own. Now your question: first the description, then what we really do.",
      calls: [
        fetchPage(
          "https://docs.shopkit.example/promotions/v2/volume",
          "Do units that another promotion made free count towards the tier?",
        ),
        read("src/rules/volume.js"),
        read("src/rules/buy-x-get-y.js"),
        todo(4, ...TODOS),
      ],
    },
    {
      calls: [bash(FREE_UNITS, "Quote notebooks with both promotions")],
    },
    {
      thinking:
        "With 10 notebooks: buy-x-get-y makes 3 free (2100 off), volume counts 10 and takes 5 % of the remaining 4900 = 245. So free units count and nothing is deducted for them. That matches the page. Worth pinning with a test since the user cares.",
      text: "They count, and nothing is deducted for them. I'll pin that with a test since it's easy to break by accident.",
      calls: [
        edit(
          "test/volume.test.js",
          `  describe("validation", () => {`,
          `  it("counts units that another promotion made free", () => {
    const free = promotion("buy-x-get-y", { buy: 2, free: 1, skus: ["NOTEBOOK"], priority: 1 });
    const { discounts } = quote([{ sku: "NOTEBOOK", quantity: 10 }], [free, NOTEBOOKS]);
    assert.deepEqual(
      discounts.map(({ amount }) => amount),
      [2100, 245],
    );
  });

  describe("validation", () => {`,
        ),
      ],
    },
    {
      calls: [
        runTests(),
        bash("git status", "Show the state of the working tree"),
        bash("git diff --stat", "Summarize the changes"),
        todo(5, ...TODOS),
      ],
    },
    {
      text: `Done. \`src/stacking.js\` now holds how discounts combine (\`choosePromotions\`, \`capDiscounts\`, \`takeOff\`, \`totalOf\`); \`src/pricing.js\` is down to pricing a cart, with the same interface as before. The totals and refunds of all 46 recorded orders hash to the same value before and after, and \`test/stacking.test.js\` covers the module on its own.

**Do free units count towards the tier?** Yes, in both places:

- The description: "The quantity is what lies in the cart. Units that another promotion has made free are counted like any other", and nothing is deducted for them.
- Our rule adds up \`quantity\`, which promotions never change, and takes its percentage of \`remaining\`, which they do. Ten notebooks with three of them free: tier 10 is reached, and 5 % of the other seven (49.00) is 2.45.

I added that case to \`test/volume.test.js\`. Today no product is in both kinds of promotion, so no customer is affected. Nothing is committed.`,
    },
  ],
};
