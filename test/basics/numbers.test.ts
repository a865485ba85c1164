import { expect, test } from "vitest";
import { formatNumber, shortCount } from "../../src/basics/numbers.ts";

test.each<[number, string]>([
  [0, "0"],
  [999, "999"],
  [999.6, "1.0K"],
  [2_000, "2.0K"],
  [12_449, "12.4K"],
  [999_949, "999.9K"],
  [999_950, "1.0M"],
  [12_400_000, "12.4M"],
])("%d in a few signs: %s", (count, text) => {
  expect(shortCount(count)).toBe(text);
});

test.each<[number, string]>([
  [0, "0"],
  [123, "123"],
  [1_234, "1,234"],
  [1_234_567.8, "1,234,568"],
  [-123, "-123"],
  [-1_234, "-1,234"],
])("%d in full: %s", (count, text) => {
  expect(formatNumber(count)).toBe(text);
});
