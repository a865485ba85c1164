import { expect, test } from "vitest";
import { compileLineExpression } from "../../../src/strategies/summaries/line-expression.ts";

test.each([
  "",
  "^error",
  "(?:a|b)+",
  "(ab+)?c",
  "(a{2})+",
  "[(+]+",
  "\\(a+\\)+",
  "a+b*",
  "(a+)(b+)",
  "(a+){2}",
])("%s is usable", (source) => expect(compileLineExpression(source)).toBeInstanceOf(RegExp));

test.each(["(", "[", "a**", "(a+)+", "(a*)*b", "((a+)b)*", "(?:x{2,})+", "(a|b+){3,}", "([a-z]+\\s*)+$"])(
  "%s is not",
  (source) => expect(compileLineExpression(source)).toBeUndefined(),
);
