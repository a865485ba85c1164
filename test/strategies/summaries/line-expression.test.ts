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
  "((a+)b)*",
  "error.*:.*failed",
  ".*error.*",
  "^\\s*at .*$",
  "\\s+$",
  "^(?!.*debug).*error",
])("%s is usable", (source) => expect(compileLineExpression(source)).toBeInstanceOf(RegExp));

test.each([
  "(",
  "[",
  "a**",
  "(a+)+",
  "(a*)*b",
  "(?:x{2,})+",
  "(a|b+){3,}",
  "([a-z]+\\s*)+$",
  "(a|a)*$",
  "(a|aa)+$",
  "(foo|foo)*x",
  "(?:.*,){11}P",
  "(a?){30}a{30}",
  "a*a*a*a*b",
  "a.*b.*c.*d.*e",
  "(?=(a+)+b)a",
])("%s is not", (source) => expect(compileLineExpression(source)).toBeUndefined());
