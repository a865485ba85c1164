import { expect, test } from "vitest";
import { formatSaved } from "../../src/cli/format-saved.ts";
import type { RunSums } from "../../src/hosts/proxy/run-sums.ts";

const NONE: RunSums = {
  requests: 0,
  answered: 0,
  passed: 0,
  tokensWith: 0,
  tokensWithout: 0,
  priced: 0,
  costWith: 0,
  costWithout: 0,
  cuts: 0,
  unpriced: [],
};

const SOME: Partial<RunSums> = { requests: 42, answered: 42, priced: 42, tokensWith: 1, tokensWithout: 2 };

const CASES: readonly (readonly [given: Partial<RunSums>, line: string])[] = [
  [{}, "no request to a model came through."],
  [{ requests: 2 }, "2 requests, and none was answered: nothing was spent."],
  [
    { ...SOME, cuts: 3, costWith: 1.31, costWithout: 1.84 },
    "42 requests: input for $1.31 instead of $1.84 at list prices, $0.53 saved (29 %).",
  ],
  [
    { ...SOME, costWith: 0.02, costWithout: 0.02 },
    "42 requests: nothing was worth cutting; input for $0.02 at list prices.",
  ],
  [
    { ...SOME, cuts: 1, costWith: 0.02, costWithout: 0.02 },
    "42 requests: nothing saved yet; input for $0.02 at list prices.",
  ],
  [
    { ...SOME, cuts: 1, costWith: 1, costWithout: 1.002 },
    "42 requests: input for $1.00 at list prices, less than one percent saved.",
  ],
  [
    { ...SOME, cuts: 1, costWith: 1.1, costWithout: 1 },
    "42 requests: input for $1.10 instead of $1.00 at list prices; the last cut cost $0.10 more than it has saved so far.",
  ],
  [
    { requests: 3, answered: 3, tokensWith: 9_000, tokensWithout: 12_000, unpriced: ["my-model"] },
    "3 requests: 9.0K tokens sent instead of 12.0K; the price of my-model is not known, so there is no sum in money.",
  ],
  [
    { ...SOME, answered: 44, costWith: 1, costWithout: 2, unpriced: ["my-model"] },
    "42 requests: input for $1.00 instead of $2.00 at list prices, $1.00 saved (50 %). Of 2 requests more, the price of my-model is not known, so there is no sum in money.",
  ],
];

test.each(CASES)("%j", (given, line) => {
  expect(formatSaved({ ...NONE, ...given })).toBe(line);
});
