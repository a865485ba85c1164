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
  paid: 0,
  without: 0,
  cuts: 0,
  unpriced: [],
};

const SOME: Partial<RunSums> = { requests: 42, answered: 42, priced: 42, tokensWith: 1, tokensWithout: 2 };

const CASES: readonly (readonly [given: Partial<RunSums>, line: string])[] = [
  [{}, "no request to a model came through."],
  [{ requests: 2 }, "2 requests, and none was answered: nothing was paid."],
  [
    { ...SOME, cuts: 3, paid: 1.31, without: 1.84 },
    "42 requests: paid $1.31, without Coppice $1.84: $0.53 saved (29 %).",
  ],
  [{ ...SOME, paid: 0.02, without: 0.02 }, "42 requests: paid $0.02; nothing was worth cutting."],
  [{ ...SOME, cuts: 1, paid: 0.02, without: 0.02 }, "42 requests: paid $0.02; nothing saved yet."],
  [
    { ...SOME, cuts: 1, paid: 1, without: 1.002 },
    "42 requests: paid $1.00, without Coppice $1.00: $0.002 saved (less than 1 %).",
  ],
  [
    { ...SOME, cuts: 1, paid: 1.1, without: 1 },
    "42 requests: paid $1.10, without Coppice $1.00: $0.10 more (10 %).",
  ],
  [
    { requests: 3, answered: 3, tokensWith: 9_000, tokensWithout: 12_000, unpriced: ["my-model"] },
    "3 requests: 9.0K tokens sent instead of 12.0K; the price of my-model is not known, so the cost is unknown.",
  ],
  [
    { requests: 3, answered: 3, tokensWith: 9_000, tokensWithout: 9_000 },
    "3 requests: 9.0K tokens sent, none saved; the answers report no usage, so the cost is unknown.",
  ],
  [
    { ...SOME, answered: 44, paid: 1, without: 2, unpriced: ["my-model"] },
    "42 requests: paid $1.00, without Coppice $2.00: $1.00 saved (50 %). Of 2 requests more, the price of my-model is not known, so the cost is unknown.",
  ],
];

test.each(CASES)("%j", (given, line) => {
  expect(formatSaved({ ...NONE, ...given })).toBe(line);
});
