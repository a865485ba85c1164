import fc from "fast-check";
import { expect, test } from "vitest";
import { findErrorLines, isErrorLine } from "../../../src/strategies/summaries/error-lines.ts";

const line = fc.constantFrom(
  "Traceback (most recent call last):",
  '  File "a.py", line 3, in f',
  "    at f (a.js:1:2)",
  "ValueError: no rate",
  "TypeError: x is not a function",
  "error: no rate",
  "FAILED a.test.ts",
  "const total = 3;",
  "",
);

test("one line is classified like all of them", () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      expect(lines.map((_, i) => isErrorLine(lines, i))).toEqual(findErrorLines(lines));
    }),
    { numRuns: 1_000 },
  );
});
