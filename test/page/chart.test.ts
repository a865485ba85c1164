import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { placeEndLabels } from "../../src/page/app/chart/end-labels.ts";
import { type LaneMark, placeLaneLabels } from "../../src/page/app/chart/lane-labels.ts";
import { placeLimitLabels } from "../../src/page/app/chart/limit-labels.ts";
import { formatDollarTick, listTicks, listWholeTicks } from "../../src/page/app/chart/ticks.ts";

const measure = (text: string): number => 7 * text.length;

describe("labels of segments", () => {
  const compaction = (x: number): LaneMark => ({ x, kind: "compaction", number: 1 });
  const conversation = (x: number, number: number): LaneMark => ({ x, kind: "conversation", number });
  const lane = { left: 40, right: 600 };

  test.each<[string, readonly LaneMark[], readonly string[]]>([
    ["one each where there is room", [compaction(100), compaction(300)], ["compaction", "compaction"]],
    [
      "neighbours together",
      [compaction(100), compaction(120), compaction(400)],
      ["2 compactions", "compaction"],
    ],
    [
      "conversations by number",
      [conversation(100, 2), conversation(300, 3)],
      ["conversation 2", "conversation 3"],
    ],
    ["both kinds", [compaction(100), conversation(110, 2)], ["compaction, conversation 2"]],
    ["at the edge", [compaction(595)], ["compaction"]],
    ["many: one for all", Array.from({ length: 59 }, (_, i) => compaction(45 + 9 * i)), ["59 compactions"]],
    ["none", [], []],
  ])("%s", (_, marks, expected) => {
    expect(placeLaneLabels(marks, lane, measure).map(({ text }) => text)).toEqual(expected);
  });

  test("never overlap and never leave the lane", () => {
    const marks = fc
      .array(fc.record({ x: fc.integer({ min: 40, max: 600 }), isNew: fc.boolean() }), { maxLength: 80 })
      .map((each) =>
        each
          .toSorted((a, b) => a.x - b.x)
          .map(({ x, isNew }, i): LaneMark => (isNew ? conversation(x, i + 2) : compaction(x))),
      );
    fc.assert(
      fc.property(marks, fc.integer({ min: 60, max: 600 }), (marked, right) => {
        const labels = placeLaneLabels(
          marked.filter(({ x }) => x <= right),
          { left: 40, right },
          measure,
        );
        for (const [i, { left, width }] of labels.entries()) {
          expect(left).toBeGreaterThanOrEqual(40);
          expect(left + width).toBeLessThanOrEqual(right);
          const before = labels[i - 1];
          if (before) expect(before.left + before.width).toBeLessThan(left);
        }
      }),
    );
  });
});

test("labels of limits are above their lines, below if another is in the way, or left out", () => {
  const place = (...lines: readonly number[]) =>
    placeLimitLabels(
      lines.map((y) => ({ text: String(y), y })),
      { top: 0, bottom: 200 },
    ).map(({ text, middle }) => [text, middle]);
  expect(place(100, 50)).toEqual([
    ["50", 40],
    ["100", 90],
  ]);
  expect(place(50, 55)).toEqual([
    ["50", 40],
    ["55", 65],
  ]);
  expect(place(5)).toEqual([["5", 15]]);
  expect(place(195, 199)).toEqual([["195", 185]]);
});

test("labels of lines that end near each other are moved apart, the higher one up, and stay above the axis", () => {
  const places = (a: number, b: number) =>
    placeEndLabels(
      [
        { text: "a", y: a, fill: "" },
        { text: "b", y: b, fill: "" },
      ],
      200,
    ).map(({ text, y }) => [text, y]);
  expect(places(50, 100)).toEqual([
    ["a", 50],
    ["b", 100],
  ]);
  expect(places(100, 98)).toEqual([
    ["b", 91],
    ["a", 107],
  ]);
  expect(places(200, 200)).toEqual([
    ["a", 176],
    ["b", 192],
  ]);
});

test.each<[number, number, readonly number[]]>([
  [58, 10, [1, 10, 20, 30, 40, 50]],
  [900, 10, [1, 100, 200, 300, 400, 500, 600, 700, 800, 900]],
  [3, 10, [1, 2, 3]],
  [2, 5, [1, 2]],
  [11, 5, [1, 5, 10]],
  [0, 5, []],
])("requests up to %i in %i steps", (last, count, expected) => {
  expect(listWholeTicks(last, count)).toEqual(expected);
});

test("amounts are round and below the most", () => {
  expect(listTicks(210_000, 5)).toEqual([0, 50_000, 100_000, 150_000, 200_000]);
  expect(listTicks(0, 5)).toEqual([0]);
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (most) => {
      const ticks = listTicks(most, 5);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThan(9);
      expect(ticks.at(-1)).toBeLessThanOrEqual(most * 1.000001);
      const names = ticks.map((tick) => formatDollarTick(tick, ticks));
      expect(new Set(names).size).toBe(names.length);
    }),
  );
});
