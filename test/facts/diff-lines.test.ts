import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffLines } from "../../src/facts/diff-lines.ts";

const lines = (text: string) => [...text];

/** The old text with the differences applied: the new one, if they are right. */
function patch(old: readonly string[], now: readonly string[]): readonly string[] {
  const patched: string[] = [];
  let at = 0;
  for (const { old: before, new: after } of diffLines(old, now)) {
    patched.push(...old.slice(at, before.from), ...now.slice(after.from, after.to));
    at = before.to;
  }
  return [...patched, ...old.slice(at)];
}

describe("where two texts differ", () => {
  test.each<[string, string, string, readonly string[]]>([
    ["nowhere", "abc", "abc", []],
    ["one line", "abc", "axc", ["1-2 1-2"]],
    ["a line more", "abc", "abxc", ["2-2 2-3"]],
    ["a line less", "abc", "ac", ["1-2 1-1"]],
    ["two places", "abcdefg", "axcdeyg", ["1-2 1-2", "5-6 5-6"]],
    ["a line that moved", "abcdef", "acdbef", ["1-2 1-1", "4-4 3-4"]],
    ["lines that repeat", "}}a}}", "}}a}}}", ["5-5 5-6"]],
    ["everything", "abc", "xyz", ["0-3 0-3"]],
    ["from nothing", "", "ab", ["0-0 0-2"]],
  ])("%s", (_, old, now, expected) => {
    const found = diffLines(lines(old), lines(now));
    expect(found.map(({ old: a, new: b }) => `${a.from}-${a.to} ${b.from}-${b.to}`)).toEqual(expected);
  });

  test("the differences turn one into the other", () => {
    const text = fc.array(fc.constantFrom(..."abcdefghij}}}"), { maxLength: 40 });
    fc.assert(
      fc.property(text, text, (old, now) => {
        expect(patch(old, now)).toEqual(now);
      }),
    );
  });
});
