import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coversRange, narrowRange } from "../../src/tool-kinds/line-range.ts";
import type { LineRange } from "../../src/tool-kinds/tool-use.ts";

describe("coversRange", () => {
  test.each<[LineRange | undefined, LineRange | undefined, boolean]>([
    [undefined, undefined, true],
    [undefined, { from: 1, to: 9 }, true],
    [undefined, { from: -9 }, true],
    [{ from: 1, to: 9 }, undefined, false],
    [{ from: 100, to: 200 }, { from: 1, to: 99 }, false],
    [{ from: 1, to: 200 }, { from: 100, to: 200 }, true],
    [{ from: 1, to: 200 }, { from: 150, to: 250 }, false],
    [{ from: 50 }, { from: 60, to: 70 }, true],
    [{ from: 50, to: 900 }, { from: 60 }, false],
    [{ from: -50 }, { from: -20 }, true],
    [{ from: -20 }, { from: -50 }, false],
    [{ from: -20 }, { from: 5, to: 9 }, false],
    [{ from: 5 }, { from: -20 }, false],
  ])("%j over %j: %s", (newer, older, expected) => {
    expect(coversRange(newer, older)).toBe(expected);
  });
});

test("a narrowed range equals the sliced lines", () => {
  const range = fc
    .tuple(fc.integer({ min: 1, max: 30 }), fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }))
    .map(([from, length]): LineRange => (length === undefined ? { from } : { from, to: from + length }));
  const lines = Array.from({ length: 100 }, (_, i) => i + 1);
  const slice = (all: readonly number[], { from, to }: LineRange) => all.slice(from - 1, to);
  fc.assert(
    fc.property(range, range, (outer, inner) => {
      const shown = slice(slice(lines, outer), inner);
      fc.pre(shown.length > 0);
      const narrowed = narrowRange(outer, inner);
      expect(narrowed).not.toBe("unknown");
      expect(narrowed === "unknown" ? [] : slice(lines, narrowed ?? { from: 1 })).toEqual(shown);
    }),
  );
});
