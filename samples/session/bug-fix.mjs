import { bash, edit, failing, grep, read, runTests, todo, write } from "./calls.mjs";

const TODOS = [
  ["Reproduce the wrong refund of ORD-1042", "Reproducing the wrong refund"],
  ["Find the cause", "Finding the cause"],
  ["Add a regression test that fails", "Adding a regression test"],
  ["Fix it", "Fixing it"],
  ["Run all tests and replay the whole week", "Running tests and replay"],
];

/** The first turn: refunds that are a cent off. */
export const bugFix = {
  pauseSeconds: 0,
  user: `Finance found refunds that don't add up. ORD-1042 was refunded in full last week and the customer got one cent less than they had paid for the goods. They believe it's not the only one.

fixtures/orders.json has all orders of that week and tools/replay.js runs them through the service (quote, place, ship, full refund). Please find the cause, fix it, and add a regression test. Don't commit, I'll look at the diff first.`,
  steps: [
    {
      thinking:
        "A refund that differs by one cent smells like rounding: a discount split over the lines, each share rounded on its own. I should look at the code before deciding. First get an overview of the repository.",
      text: "I'll get an overview of the project first.",
      calls: [
        bash("git ls-files", "List the files of the project"),
        bash("git status", "Show the state of the working tree"),
        bash("git log --oneline", "Show the history"),
      ],
    },
    {
      calls: [read("README.md"), read("package.json"), todo(0, ...TODOS)],
    },
    {
      text: "Refunds are worked out in `orders.js` from what a line was priced at, so I'll read both sides of that.",
      calls: [read("src/orders.js"), read("src/pricing.js")],
    },
    {
      thinking:
        "refundLine uses line.paid, the running total makes partial refunds consistent within a line. So the sum over lines is sum(line.paid). The order's total, however, is subtotal - discountTotal + shipping. They only agree if takeOff distributes exactly discount.amount. takeOff uses splitByWeight from money.js.",
      text: "A full refund gives back the sum of `line.paid`, while the total is `subtotal - discountTotal + shipping`. The two only agree if `takeOff` distributes every discount exactly. Let me look at `splitByWeight` and the replay tool.",
      calls: [read("src/money.js"), read("src/cart.js"), read("tools/replay.js")],
    },
    {
      text: "Before touching anything: do the tests pass?",
      calls: [runTests()],
    },
    {
      text: "All green, so nothing covers this yet. Now the recorded orders.",
      calls: [read("fixtures/orders.json"), read("fixtures/products.json")],
    },
    {
      calls: [failing(bash("node tools/replay.js fixtures/orders.json", "Replay the recorded week"))],
    },
    {
      thinking:
        "Seven of 46 orders. The differences go both ways: +1, -1, even -2 for ORD-1059. That fits rounding of each share on its own: sum of rounded shares isn't the rounded sum. All of the mismatches have several lines and at least one discount. Let me look at ORD-1042 alone with debug output and compute the shares by hand.",
      text: "Seven of the 46 orders are off, in both directions: ORD-1029 gets a cent too much, ORD-1059 two cents too little. Let me take ORD-1042 apart.",
      calls: [
        failing(
          bash(
            "node tools/replay.js fixtures/orders.json --order ORD-1042",
            "Replay ORD-1042 with debug output",
          ),
        ),
        bash(
          `node --input-type=module -e "import { splitByWeight } from './src/money.js'; console.log(splitByWeight(197, [1250, 949, 429])); console.log(splitByWeight(243, [1156, 878, 397]))"`,
          "Split the two discounts of ORD-1042 by hand",
        ),
        grep("splitByWeight"),
        todo(2, ...TODOS),
      ],
    },
    {
      thinking:
        "197 -> 94 + 71 + 32 = 197, fine. 243 -> 116 + 88 + 40 = 244: one cent too much discount distributed, so the refund is one cent short. Confirmed. splitByWeight is the only place. Who else relies on it? Only pricing.js. Look at the tests for money and pricing to see what's pinned.",
      text: "That's it. The loyalty discount splits exactly (94 + 71 + 32 = 197), but NEWYEAR10 takes 243 off and its shares are 116 + 88 + 40 = 244. Each share is rounded on its own and nothing makes them add up. `takeOff` is the only caller. Let me see what the existing tests pin down.",
      calls: [read("test/money.test.js"), read("test/pricing.test.js"), read("test/orders.test.js")],
    },
    {
      text: "I also want to know which rules can hand over lines with nothing left on them, since those must never get a share.",
      calls: [
        read("src/rules/index.js"),
        read("src/rules/percentage.js"),
        read("src/rules/buy-x-get-y.js"),
        read("src/rules/loyalty.js"),
      ],
    },
    {
      calls: [read("src/coupons.js", 80, 31), read("tools/memory-service.js")],
    },
    {
      text: "`percentage` and the coupons skip lines that are already at zero, `loyalty` doesn't. Good to know. First the regression test, with the products of ORD-1042 and a sweep over cart sizes.",
      calls: [write("test/refunds.test.js")],
    },
    {
      calls: [failing(runTests("refund"))],
    },
    {
      text: "Wrong file name.",
      calls: [failing(runTests("refunds")), todo(3, ...TODOS)],
    },
    {
      thinking:
        "The regression test fails for the right reason. Simplest fix: let the last share take whatever is left over. Try it.",
      text: "It fails for the right reason: 2187 instead of 2188. The smallest fix is to let the last share take the difference.",
      calls: [
        edit(
          "src/money.js",
          `  return weights.map((weight) => Math.round((amount * weight) / total));
}`,
          `  const shares = weights.map((weight) => Math.round((amount * weight) / total));
  shares[shares.length - 1] += amount - sum(shares);
  return shares;
}`,
        ),
      ],
    },
    {
      calls: [failing(runTests())],
    },
    {
      thinking:
        "As feared: the pen is free (buy-x-get-y), it stands last, weight 0, and loyalty passes it along. The rest of -1 goes onto it, so it 'costs' one cent. Giving the rest to the last line with weight would fix this case, but could push a line below zero when it is nearly empty: the rest can be several cents with many lines. Largest remainder: floor everything, hand the missing cents to the largest fractions. A share is then at most ceil(exact), which never exceeds the weight as long as amount <= total; a zero weight has no fraction and so never gets a cent.",
      text: "The regression test passes now, but a free pen suddenly costs a cent: it stands last, and takes the difference although it has no weight. With many lines the difference can be several cents, so one line shouldn't take it all anyway. The clean way is the largest-remainder method: round every share down, then hand out the missing cents to the shares that lost most.",
      calls: [read("src/money.js", 46, 18), read("test/pricing.test.js", 92, 20)],
    },
    {
      calls: [
        edit(
          "src/money.js",
          `  const shares = weights.map((weight) => Math.round((amount * weight) / total));
  shares[shares.length - 1] += amount - sum(shares);
  return shares;
}`,
          `  const exact = weights.map((weight) => (amount * weight) / total);
  const shares = exact.map(Math.floor);
  const lost = exact.map((share, index) => share - shares[index]);
  const byLoss = [...lost.keys()].sort((a, b) => lost[b] - lost[a] || a - b);
  const missing = amount - sum(shares);
  for (const index of byLoss.slice(0, missing)) shares[index] += 1;
  return shares;
}`,
        ),
        edit(
          "src/money.js",
          ` * Splits an amount in proportion to weights.
 *
 *   splitByWeight(100, [1, 3])  ->  [25, 75]
 *
 * With no weight at all there is nothing to split over, and every share is zero.`,
          ` * Splits an amount in proportion to weights. The shares add up to the amount: each is rounded down, and
 * the cents that are missing then go to those that lost most, the earlier one first.
 *
 *   splitByWeight(100, [1, 3])     ->  [25, 75]
 *   splitByWeight(100, [1, 1, 1])  ->  [34, 33, 33]
 *
 * With no weight at all there is nothing to split over, and every share is zero.`,
        ),
      ],
    },
    {
      calls: [
        runTests("money", "refunds", "pricing"),
        bash("git status", "Show the state of the working tree"),
      ],
    },
    {
      text: "Green. I'll pin the contract of `splitByWeight` itself, too.",
      calls: [
        edit(
          "test/money.test.js",
          `    it("gives nothing when there is no weight", () => assert.deepEqual(splitByWeight(100, [0, 0]), [0, 0]));`,
          `    it("gives nothing when there is no weight", () => assert.deepEqual(splitByWeight(100, [0, 0]), [0, 0]));
    it("hands the missing cents to the shares that lost most", () => {
      assert.deepEqual(splitByWeight(243, [1156, 878, 397]), [115, 88, 40]);
    });
    it("prefers the earlier share when two lost the same", () => {
      assert.deepEqual(splitByWeight(100, [1, 1, 1]), [34, 33, 33]);
    });
    it("always adds up, and never gives more than a weight", () => {
      const weights = [1, 0, 7, 429, 949, 1250, 3];
      for (let amount = 0; amount <= sum(weights); amount++) {
        const shares = splitByWeight(amount, weights);
        assert.equal(sum(shares), amount);
        assert.ok(shares.every((share, index) => share >= 0 && share <= weights[index]));
      }
    });`,
        ),
        todo(4, ...TODOS),
      ],
    },
    {
      calls: [
        runTests(),
        bash("node tools/replay.js fixtures/orders.json | tail -n 12", "Replay the recorded week"),
      ],
    },
    {
      text: "All tests pass and the whole week replays without a difference. A last look at the diff.",
      calls: [
        bash("git diff", "Show the changes"),
        bash("git status", "Show the state of the working tree"),
        todo(5, ...TODOS),
      ],
    },
    {
      text: `Fixed. The cause was \`splitByWeight\` in \`src/money.js\`: when a discount is split over the lines, every share was rounded on its own, so the shares could add up to more or less than the discount. The order total used the discount itself, refunds used the lines, and the two drifted apart. For ORD-1042, NEWYEAR10 took 243 cents off the total but 244 off the lines.

- **Fix:** shares are rounded down and the missing cents go to the shares that lost most. They add up exactly, and a line that is already free never gets a share. (My first attempt, giving the difference to the last line, made a free pen cost a cent; an existing test caught it.)
- **Affected last week:** ORD-1029, 1030, 1032, 1042, 1045, 1059 (two cents) and 1068. All of them replay correctly now.
- **Tests:** \`test/refunds.test.js\` (ORD-1042, a sweep over cart sizes with and without coupons, refunds unit by unit) and three cases for \`splitByWeight\`.

One thing to know: the VAT in an invoice is computed on the line amounts, so for affected orders it can change by a cent as well. Nothing is committed.`,
    },
  ],
};
