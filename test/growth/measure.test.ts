import { expect, test } from "vitest";
import { type Case, findFastGrowth } from "./measure.ts";

/** Keeps the processor busy for about as long as this many characters take. */
function work(characters: number): number {
  let sum = 0;
  for (let i = 0; i < characters; i++) sum = (sum * 31 + i) | 0;
  return sum;
}

const SIZES = [4_000, 16_000];

test.each<[string, (size: number) => () => unknown, boolean, readonly number[]]>([
  ["linear and slow", (size) => () => work(size * 8_000), false, SIZES],
  ["quadratic and slow", (size) => () => work((size * size) / 3), true, SIZES],
  ["quadratic and too quick to matter", (size) => () => work((size * size) / 1_000), false, [16_000]],
])("%s", (name, prepare, isFast, looked) => {
  const measured: Case = { name, sizes: SIZES, prepare };
  const begun: number[] = [];
  const found = findFastGrowth(measured, ({ size }) => begun.push(size));
  expect(found !== undefined).toBe(isFast);
  if (isFast) expect(found).toMatch(/^quadratic and slow: [\d.]+ ms at 4000, [\d.]+ ms at 16000$/);
  expect(new Set(begun)).toEqual(new Set(looked));
});

test("a failing case does not count as fast", () => {
  const failing: Case = {
    name: "failing",
    sizes: SIZES,
    prepare: () => () => {
      throw new Error("no");
    },
  };
  expect(() => findFastGrowth(failing, () => {})).toThrow("no");
});
