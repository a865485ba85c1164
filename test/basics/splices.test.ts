import { expect, test } from "vitest";
import { applySplices, invertSplices, type Splice } from "../../src/basics/splices.ts";

test.each<[string, string, readonly Splice[], string]>([
  ["none", "abc", [], "abc"],
  [
    "in any order",
    "abc",
    [
      { from: 2, to: 3, text: "z" },
      { from: 0, to: 1, text: "" },
    ],
    "bz",
  ],
  [
    "an insertion before what begins there",
    "abc",
    [
      { from: 1, to: 2, text: "B" },
      { from: 1, to: 1, text: "+" },
    ],
    "a+Bc",
  ],
  [
    "an insertion behind what ends there",
    "abc",
    [
      { from: 2, to: 2, text: "+" },
      { from: 1, to: 2, text: "B" },
    ],
    "aB+c",
  ],
  ["all of it", "abc", [{ from: 0, to: 3, text: "longer" }], "longer"],
])("%s", (_, text, splices, expected) => {
  expect(applySplices(text, splices)).toBe(expected);
  const undo = invertSplices(text, splices).map(({ at, length, was }) => ({
    from: at,
    to: at + length,
    text: was,
  }));
  expect(applySplices(expected, undo)).toBe(text);
});
