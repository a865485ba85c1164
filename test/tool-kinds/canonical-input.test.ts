import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalInput } from "../../src/tool-kinds/canonical-input.ts";

const MAP = new Map([["a", 1]]);

test.each([
  [
    { a: 1, b: { c: 2, d: 3 } },
    { b: { d: 3, c: 2 }, a: 1 },
  ],
  [{ a: undefined, b: 1 }, { b: 1 }],
  [{ a: -0 }, { a: 0 }],
  [Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  [{ at: new Date(5) }, { at: new Date(5) }],
  [MAP, MAP],
  [new Uint8Array([1, 2]), new Uint8Array([1, 2])],
  [{ a: {} }, { a: Object.create(null) }],
])("equal pair %#", (a, b) => {
  expect(canonicalInput(a)).toBe(canonicalInput(b));
});

test.each([
  [1, "1"],
  [null, "null"],
  [true, "true"],
  [{ a: 1 }, { a: "1" }],
  [
    [1, 2],
    [2, 1],
  ],
  [[[1], 2], [[1, 2]]],
  [{ a: null }, {}],
  [[], {}],
  [{ "": 1 }, {}],
  [["a", "b"], ['a"1:b']],
  [{ a: 'x"1:b"1:y' }, { a: "x", b: "y" }],
  [1n, 1],
  [Number.NaN, null],
  [{ at: new Date(5) }, { at: new Date(6) }],
  [{ at: new Date(5) }, { at: {} }],
  [new Map([["a", 1]]), new Map([["a", 2]])],
  [new Set([1]), new Set([2])],
  [new URL("https://a.org"), new URL("https://b.org")],
  [new Uint8Array([1, 2]), new Uint8Array([1, 3])],
])("different pair %#", (a, b) => {
  expect(canonicalInput(a)).not.toBe(canonicalInput(b));
});

test("cycles end, and are distinguished by their targets", () => {
  const make = (): { readonly outer: Record<string, unknown>; readonly inner: Record<string, unknown> } => {
    const inner: Record<string, unknown> = {};
    return { outer: { inner }, inner };
  };
  const [a, b, c] = [make(), make(), make()];
  a.inner.back = a.outer;
  b.inner.back = b.outer;
  c.inner.back = c.inner;
  expect(canonicalInput(a.outer)).toBe(canonicalInput(b.outer));
  expect(canonicalInput(a.outer)).not.toBe(canonicalInput(c.outer));
  const shared = { x: 1 };
  expect(canonicalInput([shared, shared])).toBe(canonicalInput([{ x: 1 }, { x: 1 }]));
});

test("any depth, breadth and length is allowed", () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  expect(canonicalInput(deep)).toHaveLength(300_001);
  expect(canonicalInput(Array.from({ length: 300_000 }, () => 1)).length).toBe(600_002);
  const content = "x".repeat(5_000_000);
  expect(canonicalInput({ content, path: "a" })).toBe(canonicalInput({ path: "a", content }));
});

test("agrees with deep equality on JSON", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const almost = fc
    .tuple(value, value, fc.boolean())
    .map(([a, b, same]) => [a, same ? structuredClone(a) : b] as const);
  fc.assert(
    fc.property(almost, ([a, b]) => {
      const plain = (json: unknown) => JSON.parse(JSON.stringify(json));
      expect(canonicalInput(a) === canonicalInput(b)).toBe(isDeepStrictEqual(plain(a), plain(b)));
    }),
    { numRuns: 1000 },
  );
});
