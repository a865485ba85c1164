import { expect, test } from "vitest";
import { growthOf, worstSteps } from "../../src/expressions/growth.ts";

test.each<[RegExp, number]>([
  [/abc/, 1],
  [/^\s*x$/, 1],
  [/x*/, 1],
  [/error.*/, 1],
  [/^(?:a|b|c)+$/, 1],
  [/^(?!.*debug).*error/, 1],
  [/(?:^|\/)skills?\//i, 1],
  [/\b\d+ files/, 1],
  [/(?<![\d,])\d[\d,]* files/, 1],
  [/(?<=^|[^\w])\w+@/, 1],
  [/^Title: (.{1,200})$/m, 1],
  [/\d{1,15} files/, 1],
  [/<title[^<>]*>x/, 1],
  [/(["'])\w+\1/, 1],
  // searches from every place of a run
  [/\s+$/, 2],
  [/[ \t]+\n/g, 2],
  [/\d+ files/, 2],
  [/\b\d[\d,]* files/, 2],
  [/<b>[\s\S]*?<\/b>/, 2],
  [/a(?:.*b)?/g, 2],
  // one repeat hands over to the next
  [/^\d*\d*x/, 2],
  [/^(.*)-(.*)-x/, 2],
  [/^a.*b.*c.*d/, 3],
  [/^\s*(?:\d+)?\s*(?:-)?\s*x/, 3],
  [/^a*a*a*a*b/, 4],
  [/^(?:(?=.*x).)*y/, 2],
  // one repeat goes two ways
  [/(a+)+$/, Number.POSITIVE_INFINITY],
  [/^(?:a|a)*x/, Number.POSITIVE_INFINITY],
  [/^(?:foo|foo)*bar/, Number.POSITIVE_INFINITY],
  [/^(?:ab|a|b)*c/, Number.POSITIVE_INFINITY],
  [/^(?:a?){30}a{30}$/, Number.POSITIVE_INFINITY],
  [/^(?:.*,){11}P/, Number.POSITIVE_INFINITY],
  [/^(\w+\s?)*$/, Number.POSITIVE_INFINITY],
  [/^(?:é|[à-ü])*x/, Number.POSITIVE_INFINITY],
  [/^(?:\u4e00|[\u4e00-\u4e05])*x/, Number.POSITIVE_INFINITY],
  [/(a+)\1+b/, Number.POSITIVE_INFINITY],
])("%s: degree %d", (expression, degree) => {
  expect(growthOf(expression).degree).toBe(degree);
});

test.each<[RegExp, readonly string[]]>([
  [/<system-reminder>[\s\S]*?<\/system-reminder>/g, ["<system-reminder>0"]],
  [/\s+$/, [" "]],
  [/(a|a)*b/, ["a"]],
])("%s is slow on this repeated text", (expression, pumps) => {
  expect(growthOf(expression).pumps).toEqual(pumps);
});

test("an expression too large to analyse counts as slow", () => {
  const nested = `${"(?:".repeat(12)}a${"b){3}".repeat(12)}c*d`;
  expect(growthOf({ source: nested, flags: "" })).toEqual({ degree: Number.POSITIVE_INFINITY, pumps: [] });
  const wide = `(?:${Array.from({ length: 900 }, (_, i) => `\\u{${(0x4e00 + i).toString(16)}}`).join("|")})*x`;
  expect(growthOf({ source: wide, flags: "u" }).degree).toBeGreaterThan(1);
});

test("steps grow with the degree and shrink with what must be repeated", () => {
  const steps = (expression: RegExp) => worstSteps(expression, 440);
  expect(steps(/^x/)).toBe(440);
  expect(steps(/\s+$/)).toBe((440 * 440) / 2);
  expect(steps(/^.*error.*$/)).toBeLessThan(steps(/\s+$/));
  expect(steps(/(a|a)*b/)).toBe(Number.POSITIVE_INFINITY);
});

test("a count adds nothing to the degree, and multiplies the steps by the places where it may end", () => {
  const steps = (expression: RegExp) => worstSteps(expression, 440);
  expect(growthOf(/a{0,50}a{0,50}b/).degree).toBe(1);
  expect(steps(/a{50}b/)).toBe(440);
  expect(steps(/a{0,50}b/)).toBe(440 * 51);
  expect(steps(/a{0,50}a{1,30}b/)).toBe(440 * 51 * 30);
  expect(steps(/a{0,50}-a{1,30}b/)).toBe(440 * 51);
  expect(steps(/a?a?a?b/)).toBe(440 * 8);
  expect(steps(/(?:xa?)*b/)).toBe(steps(/(?:xa*)*b/));
});
