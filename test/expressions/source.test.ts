import { resolve } from "node:path";
import { analyse } from "scslre";
import { describe, expect, test, vi } from "vitest";
import { growthOf } from "../../src/expressions/growth.ts";
import { findExpressions, listExpressions, recordBuilt } from "./list-expressions.ts";

/*
 * Text from tools is hostile: every expression in `src/` must take linear time, including searches from every place
 * of the text. Two checkers look at each: ours and scslre, which find different problems.
 */

/** Expressions that are built at run time, and their results. */
const BUILT_IN_FUNCTIONS: Readonly<Record<string, readonly RegExp[] | string>> = {
  'new RegExp(`</${element}|<!--`, "i")': [/<\/script|<!--/i, /<\/style|<!--/i],
  'new RegExp(text.replace(/[\\\\^$.*+?()[\\]{}|]/g, "\\\\$&"), "gi")': [
    /what was typed, letter by letter/gi,
  ],
  "new RegExp(source)": "a user's: `compileLineExpression` refuses what can be slow",
  "new RegExp(`^(?:${piece})$`, this.#flags)": "one character is asked for",
};

const { written, built } = listExpressions();

test("there are expressions to check", () => {
  expect(written.length).toBeGreaterThan(100);
  expect(built.filter(({ atLoad }) => atLoad).length).toBeGreaterThan(5);
});

test.each(written)("$place /$source/$flags takes linear time", (expression) => {
  expect(findSlow(expression)).toEqual([]);
});

describe("built from pieces", () => {
  const files = [...new Set(built.filter(({ atLoad }) => atLoad).map(({ file }) => file))];

  test.each(files)("%s", async (file) => {
    vi.resetModules();
    const places = built.filter((each) => each.atLoad && each.file === file);
    const expressions = await recordBuilt(file, () => import(/* @vite-ignore */ resolve("src", file)));
    expect(expressions.length, "all that the file builds").toBe(places.length);
    for (const [i, expression] of expressions.entries()) {
      expect(findSlow(expression), `${places[i]?.place} ${expression}`).toEqual([]);
    }
  });

  test("the list of expressions built in functions is complete", () => {
    const calls = built.filter(({ atLoad }) => !atLoad).map(({ call }) => call);
    expect(calls.toSorted()).toEqual(Object.keys(BUILT_IN_FUNCTIONS).toSorted());
    const expressions = Object.values(BUILT_IN_FUNCTIONS).flatMap((each) =>
      typeof each === "string" ? [] : each,
    );
    for (const expression of expressions) expect(findSlow(expression)).toEqual([]);
  });
});

test("the check finds slow expressions", () => {
  const text = [
    'export const trimmed = text.replace(/[ \\t]+\\n/g, "\\n");',
    "const part = `a+`;",
    "const late = () => RegExp(part);",
    "const early = new RegExp(part + part);",
    "const divided = 4 / 2 / 1; // /a+$/",
  ].join("\n");
  const found = findExpressions("a.ts", text);
  expect(found.written).toMatchObject([{ place: "a.ts:1", source: "[ \\t]+\\n", flags: "g" }]);
  expect(found.built).toMatchObject([
    { place: "a.ts:3", call: "RegExp(part)", atLoad: false },
    { place: "a.ts:4", atLoad: true },
  ]);
  expect(findSlow(/[ \t]+\n/g)).not.toEqual([]);
});

/** Why an expression is slow, with what a slow text repeats. */
function findSlow({ source, flags }: Pick<RegExp, "source" | "flags">): readonly string[] {
  const { degree, pumps } = growthOf({ source, flags });
  const ours =
    degree > 1 ? [`degree ${degree}: repeat ${pumps.map((pump) => JSON.stringify(pump)).join(", ")}`] : [];
  const theirs = analyse(new RegExp(source, flags)).reports.map(
    ({ type, character }) => `scslre, ${type}: repeat ${character.literal.source}`,
  );
  return [...ours, ...theirs];
}
