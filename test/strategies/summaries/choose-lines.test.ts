import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseLines } from "../../../src/strategies/summaries/choose-lines.ts";
import { isSummary } from "../../../src/strategies/summaries/is-summary.ts";
import { NO_SALIENCE, salienceOf } from "../../../src/strategies/summaries/salience.ts";
import { addRef } from "../../../src/strategies/summaries/summary.ts";
import { estimateTokens } from "../../../src/transcript/estimate.ts";

const log = (special: Readonly<Record<number, string>>, length = 200): string =>
  Array.from({ length }, (_, i) => special[i] ?? `step ${i} of the build is done`).join("\n");

test("a text without gaps has its ref on a separate line, and is recognised by it", () => {
  expect(addRef("first\nlast", "a1b2c3")).toBe("first\nlast\n[pruned · a1b2c3]");
  expect(isSummary(addRef("first\nlast", "a1b2c3"))).toBe(true);
  expect(isSummary("first\n[pruned · soon]")).toBe(false);
});

describe("chooseLines", () => {
  test("named lines, then errors, then the first; in order, with gaps marked", () => {
    const text = log({ 50: "error: no rate", 100: "calling applyRate now", 150: "error: no order" });
    const chosen = chooseLines(text, 60, salienceOf("fix applyRate"));
    expect(chosen.split("\n")).toEqual([
      "step 0 of the build is done",
      "... [49 lines omitted] ...",
      "error: no rate",
      "... [49 lines omitted] ...",
      "calling applyRate now",
      "... [49 lines omitted] ...",
      "error: no order",
      "... [49 lines omitted] ...",
    ]);
  });

  test("a rare literal comes before a common one", () => {
    const common = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [10 + i, `orderTotal ${i}`]));
    const text = log({ ...common, 120: "applyRate failed" });
    expect(chooseLines(text, 22, salienceOf("applyRate, orderTotal"))).toContain("applyRate failed");
  });

  test("the ends stay, for any budget", () => {
    const chosen = chooseLines(log({}), 0, NO_SALIENCE, { first: 2, last: 1 });
    expect(chosen).toBe(
      "step 0 of the build is done\nstep 1 of the build is done\n... [197 lines omitted] ...\nstep 199 of the build is done",
    );
  });

  test("no gap is marked if the mark would cost more than the lines", () => {
    expect(chooseLines("a\nb\nc\nd", 0, NO_SALIENCE, { first: 1, last: 1 })).toBe("a\nb\nc\nd");
  });

  test("one more line is one more line's work", () => {
    const long = log({}, 200_000);
    expect(chooseLines(long, 400, salienceOf("step 77777")).split("\n").length).toBeLessThan(60);
  });

  const line = fc.constantFrom("applyRate(order)", "error: no rate", "const total = 3;", "", "x".repeat(900));
  test("keeps to the budget; every line is the text's or marks a gap", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 100 }), fc.integer({ min: 20, max: 400 }), (lines, budget) => {
        const text = lines.join("\n");
        const chosen = chooseLines(text, budget, salienceOf("applyRate"));
        expect(estimateTokens(chosen)).toBeLessThanOrEqual(Math.max(1.1 * budget, 20));
        const omitted = [...chosen.matchAll(/^\.\.\. \[(\d+) lines? omitted\] \.\.\.$/gm)];
        const count = omitted.reduce((sum, [, n]) => sum + Number(n), 0);
        expect(chosen.split("\n").length - omitted.length + count).toBe(
          text.replace(/\n$/, "").split("\n").length,
        );
      }),
    );
  });
});

describe("refs", () => {
  test.each([
    [
      "[Pruned tree: ~4 directories, 9 lines of structure]",
      "[Pruned tree: ~4 directories, 9 lines of structure · a1b2c3]",
    ],
    [
      "[Pruned rg: 4 matches, first 3:\na\nb\nc\n... +1 more]",
      "[Pruned rg: 4 matches, first 3:\na\nb\nc\n... +1 more · a1b2c3]",
    ],
    ["a\n... [2 lines omitted] ...\nd", "a\n... [2 lines omitted · a1b2c3] ...\nd"],
    [
      "diff\n[Pruned git_diff: 1 file, +1 -1, 9 lines omitted]",
      "diff\n[Pruned git_diff: 1 file, +1 -1, 9 lines omitted · a1b2c3]",
    ],
    ["[an old screenshot]", "[an old screenshot · a1b2c3]"],
    ["capped line…", "capped line…\n[pruned · a1b2c3]"],
  ])("%s", (summary, named) => {
    expect(addRef(summary, "a1b2c3")).toBe(named);
  });

  test("a summary is recognised with its ref and without", () => {
    const summary = "a\n... [2 lines omitted] ...\nd";
    expect([summary, addRef(summary, "a1b2c3"), "[superseded: newer ls · a1b2c3]"].every(isSummary)).toBe(
      true,
    );
    expect(["", "a\nb", "[1, 2]", "see [Pruned x] there", "... [lines omitted] ..."].some(isSummary)).toBe(
      false,
    );
  });
});
