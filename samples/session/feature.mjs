import { bash, edit, failing, fetchPage, grep, read, runTests, todo, write } from "./calls.mjs";

const TODOS = [
  ["Read the description of the format", "Reading the description"],
  ["Add the rule and register it", "Adding the rule"],
  ["Validate tiers when the configuration loads", "Validating tiers"],
  ["Show the reached and the next tier in quotes", "Showing tiers in quotes"],
  ["Add a promotion for the notebooks", "Adding the promotion"],
  ["Tests and README", "Writing tests and README"],
];

/** The second turn: volume pricing. */
export const feature = {
  pauseSeconds: 22 * 60 + 31,
  committed: ["2026-01-20T09:38:52Z", "Split discounts without losing cents"],
  user: `Looks good, I committed it as is.

Next: sales wants volume pricing. Please add a promotion kind \`volume\`: the more units, the larger the share off. The format is described at https://docs.shopkit.example/promotions/v2/volume, please follow it, including the validation. Add one for the two A5 notebooks (NTB-20 and NTB-21): 5 % from 10, 9 % from 25, priority 30. POST /quotes should say which tier was reached, and how many more units the next one takes. Tests and README too, please.`,
  steps: [
    {
      calls: [
        fetchPage(
          "https://docs.shopkit.example/promotions/v2/volume",
          "The complete format of volume promotions: fields, counting, rounding, validation, what quotes show",
        ),
        todo(0, ...TODOS),
        bash("git status", "Show the state of the working tree"),
      ],
    },
    {
      thinking:
        "Key points: units pooled over skus; highest reached tier applies to all units; computed once on remaining; below the first tier no discount. Validation: ascending from, ascending percent, at most eight tiers. detail object in quotes. Let me look at the rules again and the config.",
      text: "Clear enough: units are pooled over the listed skus and the highest tier applies to all of them. Let me look at the neighbours it has to fit in with.",
      calls: [
        read("src/rules/index.js"),
        read("src/rules/percentage.js"),
        read("src/config.js"),
        read("config/promotions.json"),
      ],
    },
    {
      calls: [grep("validatePromotion|ruleFor|discounts"), read("test/rules.test.js"), todo(1, ...TODOS)],
    },
    {
      text: "A rule answers with `{ amount, lines }`, and the answer is spread into the discount, so a `detail` can travel along. Writing the rule.",
      calls: [
        write("src/rules/volume.js"),
        edit(
          "src/rules/index.js",
          `import * as percentage from "./percentage.js";
`,
          `import * as percentage from "./percentage.js";
import * as volume from "./volume.js";
`,
        ),
        edit(
          "src/rules/index.js",
          `  ["loyalty", loyalty],
]);`,
          `  ["loyalty", loyalty],
  ["volume", volume],
]);`,
        ),
      ],
    },
    {
      calls: [write("test/volume.test.js")],
    },
    {
      calls: [runTests("volume", "rules")],
    },
    {
      text: "Now the promotion for the notebooks, and a replay to see it at work on real carts.",
      calls: [
        edit(
          "config/promotions.json",
          `    {
      "id": "loyalty",`,
          `    {
      "id": "notebooks-volume",
      "kind": "volume",
      "label": "Notebooks: the more, the cheaper",
      "priority": 30,
      "skus": ["NTB-20", "NTB-21"],
      "tiers": [{ "from": 10, "percent": 5 }, { "from": 25, "percent": 9 }]
    },
    {
      "id": "loyalty",`,
        ),
      ],
    },
    {
      calls: [failing(bash("node tools/replay.js fixtures/orders.json", "Replay the recorded week"))],
    },
    {
      thinking:
        "Of course: a cart with fewer than ten notebooks reaches no tier, findLast gives undefined. My tests only covered quantities from ten up. The page says: below the first tier no discount and no error. Fix and add test for 1 and 9.",
      text: "A cart with a single notebook reaches no tier, and I never tested below ten. The page even says it: no discount, and no error.",
      calls: [read("src/rules/volume.js", 28, 12)],
    },
    {
      calls: [
        edit(
          "src/rules/volume.js",
          `  const reached = tiers.findLast((tier) => quantity >= tier.from);
  const next = tiers.find((tier) => quantity < tier.from);
`,
          `  const reached = tiers.findLast((tier) => quantity >= tier.from);
  if (!reached) return undefined;
  const next = tiers.find((tier) => quantity < tier.from);
`,
        ),
        edit(
          "test/volume.test.js",
          `  for (const [quantity, amount] of [
    [10, 350],`,
          `  for (const [quantity, amount] of [
    [1, 0],
    [9, 0],
    [10, 350],`,
        ),
      ],
    },
    {
      calls: [
        runTests("volume"),
        bash("node tools/replay.js fixtures/orders.json", "Replay the recorded week"),
      ],
    },
    {
      text: "The week replays again, and the two large notebook orders, ORD-1043 and ORD-1051, got cheaper. Next is the rest of the validation: order of the tiers, and at most eight.",
      calls: [
        edit(
          "src/rules/volume.js",
          `  if (!Array.isArray(tiers) || tiers.length === 0) {
    throw new ValidationError(\`promotion \${id} needs at least one tier\`, { tiers });
  }
`,
          `  if (!Array.isArray(tiers) || tiers.length === 0 || tiers.length > MAX_TIERS) {
    throw new ValidationError(\`promotion \${id} needs one to \${MAX_TIERS} tiers\`, { tiers });
  }
`,
        ),
        edit(
          "src/rules/volume.js",
          `must give above 0 and at most 100 %\`, { percent });
    }
  }
}
`,
          `must give above 0 and at most 100 %\`, { percent });
    }
  }
  for (const [index, tier] of tiers.entries()) {
    const before = tiers[index - 1];
    if (before && (tier.from <= before.from || tier.percent <= before.percent)) {
      throw new ValidationError(\`the tiers of promotion \${id} must ascend in from and percent\`, { tier });
    }
  }
}
`,
        ),
        edit(
          "src/rules/volume.js",
          `import { percentOf, sum } from "../money.js";
`,
          `import { percentOf, sum } from "../money.js";

const MAX_TIERS = 8;
`,
        ),
        todo(3, ...TODOS),
      ],
    },
    {
      text: "Now the quotes.",
      calls: [read("src/pricing.js"), read("src/http/routes.js"), read("test/http.test.js")],
    },
    {
      text: "`quote` picks four fields of each discount, so the detail is lost there. I'll pass everything on but the line indexes.",
      calls: [
        edit(
          "src/pricing.js",
          `      discounts: discounts.map(({ source, id, label, amount }) => ({ source, id, label, amount })),`,
          `      discounts: discounts.map(({ lines: _, ...discount }) => discount),`,
        ),
        edit(
          "src/pricing.js",
          ` *     discounts: [{ source, id, label, amount }],`,
          ` *     discounts: [{ source, id, label, amount, detail? }],`,
        ),
        failing(
          edit(
            "src/http/routes.js",
            `    display: {
      subtotal: formatAmount(quote.subtotal),
      discount: formatAmount(quote.discountTotal),`,
            `    hints: quote.discounts.flatMap(hintsFor),
    display: {
      subtotal: formatAmount(quote.subtotal),
      discount: formatAmount(quote.discountTotal),`,
          ),
        ),
      ],
    },
    {
      calls: [grep("display", "src/http/routes.js"), read("src/http/routes.js", 59, 28)],
    },
    {
      text: "The discount is shown negative. Once more, with the text as it is.",
      calls: [
        edit(
          "src/http/routes.js",
          `    missingToFreeShipping: quote.missingToFreeShipping,
    display: {`,
          `    missingToFreeShipping: quote.missingToFreeShipping,
    hints: quote.discounts.flatMap(hintsFor),
    display: {`,
        ),
        edit(
          "src/http/routes.js",
          `function presentOrder(order) {`,
          `/** What the customer could still do: "13 more for 9 %". */
function hintsFor({ id, detail }) {
  if (!detail?.next) return [];
  const { quantity, next } = detail;
  return [{ promotion: id, missing: next.from - quantity, percent: next.percent }];
}

function presentOrder(order) {`,
        ),
        todo(5, ...TODOS),
      ],
    },
    {
      calls: [
        edit(
          "test/http.test.js",
          `  it("places, ships and refunds an order", async () => {`,
          `  it("says which tier was reached and what the next one takes", async () => {
    const tiers = [
      { from: 10, percent: 5 },
      { from: 25, percent: 9 },
    ];
    const service = testService({ promotions: [promotion("volume", { skus: ["PEN"], tiers })] });
    const { body } = await post(service, "/quotes", { lines: [{ sku: "PEN", quantity: 12 }] });
    assert.deepEqual(body.discounts[0].detail, { quantity: 12, reached: tiers[0], next: tiers[1] });
    assert.deepEqual(body.hints, [{ promotion: "test-volume", missing: 13, percent: 9 }]);
  });

  it("has no hint when the highest tier is reached", async () => {
    const tiers = [{ from: 10, percent: 5 }];
    const service = testService({ promotions: [promotion("volume", { skus: ["PEN"], tiers })] });
    const { body } = await post(service, "/quotes", { lines: [{ sku: "PEN", quantity: 12 }] });
    assert.equal(body.hints.length, 0);
  });

  it("places, ships and refunds an order", async () => {`,
        ),
        edit(
          "test/volume.test.js",
          `      ["no tiers", { skus: ["PEN"], tiers: [] }, /at least one tier/],`,
          `      ["no tiers", { skus: ["PEN"], tiers: [] }, /one to 8 tiers/],
      ["tiers out of order", { skus: ["PEN"], tiers: TIERS.toReversed() }, /must ascend/],
      ["tiers of one percent", { skus: ["PEN"], tiers: [TIERS[0], { from: 25, percent: 5 }] }, /must ascend/],`,
        ),
      ],
    },
    {
      calls: [runTests()],
    },
    {
      text: "Everything passes. Then the README.",
      calls: [read("README.md", 30, 30)],
    },
    {
      calls: [
        edit(
          "README.md",
          `
A kind is a module in`,
          `| \`volume\`      | \`skus\`, \`tiers\`                 | a share off all units, growing with their number   |

The units of a \`volume\` promotion are pooled over its skus, and the highest tier that is reached applies to all of
them. Tiers (\`{ from, percent }\`, at most eight) must ascend in both. A quote carries \`detail\` (the quantity, the
tier that was reached, the next one) and \`hints\`: how many more units the next tier takes.

A kind is a module in`,
        ),
        bash("git status", "Show the state of the working tree"),
        bash("git diff --stat", "Summarize the changes"),
        todo(6, ...TODOS),
      ],
    },
    {
      text: `Volume pricing is in.

- **Rule:** \`src/rules/volume.js\`, registered as \`volume\`. Units are pooled over \`skus\`; the highest tier that is reached applies to all of them, on what earlier promotions left, rounded once.
- **Validation:** as the page asks: one to eight tiers, \`from\` of at least 2, percent above 0 and at most 100, and both strictly ascending.
- **Quotes:** each discount carries its \`detail\`, and \`POST /quotes\` has \`hints\`, e.g. \`{ promotion: "notebooks-volume", missing: 13, percent: 9 }\`.
- **Configuration:** \`notebooks-volume\` for NTB-20 and NTB-21, priority 30, so it comes after the book promotion and before loyalty.
- **Tests:** \`test/volume.test.js\`, two cases in \`test/http.test.js\`. The replay crashed on carts below ten notebooks in my first version; that is covered now.

All recorded orders still refund to the cent. Nothing is committed.`,
    },
  ],
};
