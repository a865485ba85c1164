import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFileText } from "../../src/facts/file-text.ts";
import { thinNumbers } from "../../src/facts/line-numbers.ts";
import { estimateTokens } from "../../src/transcript/estimate.ts";
import type { Ref } from "../../src/transcript/refs.ts";

const REF = "a1b2c3" as Ref;

/** In tokens: clearly more than the least saving of an edit (10). */
const ENOUGH_SAVED = 12;

/** The forms in which read tools number lines. */
const FORMS: readonly ((number: number) => string)[] = [
  (number) => `${String(number).padStart(6)}→`,
  (number) => `${String(number).padStart(6)}\t`,
  (number) => `${String(number).padStart(5, "0")}| `,
  (number) => `${number}: `,
];

const number = (lines: readonly string[], first: number, form = FORMS[0] as (typeof FORMS)[number]) =>
  lines.map((line, i) => `${form(first + i)}${line}`).join("\n");

const code = (length: number) => Array.from({ length }, (_, i) => `const value${i} = ${i};`);

const thin = (text: string) => thinNumbers(text)?.render(REF);

test("the first line, every fifth and the last keep their numbers", () => {
  const lines = thin(`<file>\n${number(code(40), 8)}\n</file>`)?.split("\n");
  expect(lines?.slice(0, 10)).toEqual([
    "<file>",
    "[only every fifth line number is shown · a1b2c3]",
    "     8→const value0 = 0;",
    "const value1 = 1;",
    "    10→const value2 = 2;",
    "const value3 = 3;",
    "const value4 = 4;",
    "const value5 = 5;",
    "const value6 = 6;",
    "    15→const value7 = 7;",
  ]);
  expect(lines?.slice(-3)).toEqual(["const value38 = 38;", "    47→const value39 = 39;", "</file>"]);
});

describe("views that stay unchanged", () => {
  test.each<[string, string]>([
    ["few lines", number(code(39), 1)],
    ["no numbers", code(40).join("\n")],
    ["a line without a number between", number(code(40), 1).replace(/ {4}20→/, "")],
    ["numbers that jump", `${number(code(40), 1)}\n${number(code(40), 51)}`],
    ["a line that begins with a number itself", number(code(40).with(7, "12: a dozen"), 1)],
    ["what has lost its numbers already", thin(number(code(40), 1)) ?? ""],
    [
      "a view whose tag stands in edits by line (oh-my-pi)",
      `[src/a.ts#F055]\n${number(code(40), 1, FORMS[3])}`,
    ],
    [
      "a window onto a file that is edited by line (SWE-agent)",
      `[File: a.py (90 lines total)]\n(10 more lines above)\n${number(code(40), 11, FORMS[3])}`,
    ],
    [
      "the matches of a search",
      code(40)
        .flatMap((line, i) => `${2 * i}:${line}`)
        .join("\n"),
    ],
  ])("%s", (_, text) => {
    expect(thinNumbers(text)).toBeUndefined();
  });
});

const anyLine = fc
  .oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom("", "}", "    }", "\t\treturn total;", "  const rate = rateFor(order);", "# größe"),
  )
  .map((text) => text.replace(/[\n\r]/g, " "));

test("every line and its number follow from the rest, in every form", () => {
  fc.assert(
    fc.property(
      fc.array(anyLine, { minLength: 40, maxLength: 60 }),
      fc.integer({ min: 0, max: 9_999 }),
      fc.constantFrom(...FORMS),
      fc.constantFrom("", "</file>", "(End of file - total 40 lines)"),
      (lines, first, form, end) => {
        const text = `${number(lines, first, form)}\n${end}`;
        const left = thin(text);
        if (left === undefined) return;
        expect(readFileText(left, undefined)).toEqual(readFileText(text, undefined));
      },
    ),
  );
});

test("a thinned view saves more than the least saving of an edit, whatever its lines", () => {
  fc.assert(
    fc.property(
      fc.array(anyLine, { minLength: 40, maxLength: 44 }),
      fc.integer({ min: 0, max: 99_999 }),
      fc.constantFrom(...FORMS),
      (lines, first, form) => {
        const text = number(lines, first, form);
        const left = thin(text);
        if (left === undefined) return;
        expect(estimateTokens(text) - estimateTokens(left)).toBeGreaterThan(ENOUGH_SAVED);
      },
    ),
  );
});
