import fc from "fast-check";
import { expect, test } from "vitest";
import { AnchorIndex } from "../../src/replay/anchor-index.ts";

// Few letters, so that anchors and windows occur in many texts and overlap.
const text = fc.string({ unit: fc.constantFrom("a", "b", "/", "1", "é"), maxLength: 60 });
const anchor = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b", "/", "1", "é"), minLength: 4, maxLength: 14 }),
  fc.constantFrom("aaaaaaaa", "aaaa", "abababab/abab", "1111"),
);

test("holders are the texts that include the anchor, in the order of adding", () => {
  fc.assert(
    fc.property(fc.array(anchor), fc.array(text), fc.array(text), (anchors, known, later) => {
      const index = new AnchorIndex(anchors, known);
      const texts = [...new Set([...known, ...later])];
      for (const each of later) index.add(each);
      for (const each of anchors) {
        const expected = texts.flatMap((candidate, i) => (candidate.includes(each) ? [i] : []));
        expect(index.holders(each)).toEqual(expected);
      }
    }),
    { numRuns: 500 },
  );
});

test("a text has one number, however often it is added", () => {
  const index = new AnchorIndex(["src/a.ts"], ["see src/a.ts", "nothing", "see src/a.ts"]);
  expect(index.add("nothing")).toBe(1);
  expect(index.add("src/a.ts again")).toBe(2);
  expect(index.add("src/a.ts again")).toBe(2);
  expect(index.holders("src/a.ts")).toEqual([0, 2]);
  expect(index.holders("src/b.ts")).toEqual([]);
});

test("many anchors with the same beginning cost no more than others", () => {
  const anchors = Array.from({ length: 20_000 }, (_, i) => `/Users/someone/project/src/file-${i}.ts`);
  const texts = Array.from({ length: 200 }, (_, i) => anchors.slice(i * 100, i * 100 + 100).join("\n"));
  const started = performance.now();
  const index = new AnchorIndex(anchors, texts);
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(index.holders(anchors[12_345] ?? "")).toEqual([123]);
});
