import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance, findNearest } from "../../src/config/nearest.ts";

test.each([
  ["", "", 0],
  ["", "abc", 3],
  ["turns", "turns", 0],
  ["truns", "turns", 1],
  ["kitten", "sitting", 3],
  ["enabled", "enable", 1],
])("%s -> %s: %i", (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance);
});

test.each([
  ["pruneProtct", "pruneProtect"],
  ["PRUNEPROTECT", "pruneProtect"],
  ["prune", undefined],
  ["xx", undefined],
  ["shaek", "shake"],
])("%s is meant to be %s", (word, meant) => {
  expect(findNearest(word, ["pruneMinimum", "pruneProtect", "shake"])).toBe(meant);
});

test("distance is a metric: symmetric, zero only between equal words, at most the longer word", () => {
  const word = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = editDistance(a, b);
      expect(distance).toBe(editDistance(b, a));
      expect(distance === 0).toBe(a === b);
      expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
  );
});
