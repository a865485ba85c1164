import fc from "fast-check";
import { expect, test } from "vitest";
import { Trace } from "../../src/formats/trace.ts";

/** Does a look at the second value show the same as a look at the first? */
function isSame(first: unknown, second: unknown): boolean {
  const trace = new Trace();
  if (!trace.seeAll(first)) return false;
  trace.rewind();
  return trace.seeAll(second);
}

test("values are recognised as equal exactly if they are, with fields in order", () => {
  const near = fc.jsonValue({ maxDepth: 2 });
  fc.assert(
    fc.property(near, near, (a, b) => {
      expect(isSame(a, structuredClone(a))).toBe(true);
      expect(isSame(a, b)).toBe(JSON.stringify(a) === JSON.stringify(b));
    }),
    { numRuns: 1_000 },
  );
});

test.each<[string, unknown, unknown]>([
  ["a list and its length", [1], 1],
  ["an empty list and an empty object", [], {}],
  ["what is inside and what is beside", { a: { b: 1 } }, { a: {}, b: 1 }],
  ["a missing field", { a: 1, b: undefined }, { a: 1 }],
  ["null and nothing", { a: null }, {}],
  ["fewer fields", { a: 1, b: 2 }, { a: 1 }],
])("%s are not the same", (_, a, b) => {
  expect(isSame(a, b)).toBe(false);
  expect(isSame(b, a)).toBe(false);
});

test("a cycle is not recognised", () => {
  const endless: Record<string, unknown> = {};
  endless.self = endless;
  expect(isSame(endless, endless)).toBe(false);
});
