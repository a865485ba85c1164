import fc from "fast-check";
import pc from "picocolors";
import stringWidth from "string-width";
import { describe, expect, it, test } from "vitest";
import { type Column, clip, clipStart, drawBar, formatTable, wrap } from "../../src/cli/table.ts";

const paint = pc.createColors(false);
const COLUMNS: readonly Column[] = [
  { title: "day", align: "left" },
  { title: "money", align: "right" },
  { title: "model", align: "left", atLeast: 8, spare: 1 },
  { title: "requests", align: "right", spare: 2 },
  { title: "prompt", align: "left", atLeast: 12 },
];
const ROWS = [
  [
    "2026-11-17",
    "$1,234.50",
    "claude-sonnet-4-5",
    "120",
    "修复登录页面的错误，然后运行所有测试并提交更改 👩‍👩‍👧‍👦 please",
  ],
  ["2026-11-18", "$0.42", "gpt-5", "7", "fix the tests"],
];

describe("formatTable", () => {
  it.each([60, 80, 120, 200])("fits %i columns, with wide characters", (width) => {
    const lines = formatTable(COLUMNS, ROWS, { width, paint }).trimEnd().split("\n");
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    expect(lines[1]).toContain("$1,234.50");
    const ends = lines.map((line) => stringWidth(line.slice(0, line.search(/money|\$/))));
    expect(lines[0]).toContain("prompt");
    expect(ends[1]).toBe(14);
    expect(ends[2]).toBe(18);
  });
  it("leaves out optional columns, the highest number first", () => {
    const titles = (width: number) =>
      formatTable(COLUMNS, ROWS, { width, paint }).split("\n")[0]?.trim().split(/ +/);
    expect(titles(200)).toEqual(["day", "money", "model", "requests", "prompt"]);
    expect(titles(50)).toEqual(["day", "money", "model", "prompt"]);
    expect(titles(40)).toEqual(["day", "money", "prompt"]);
  });
  test("no line is wider than the terminal, whatever its content", () => {
    const cell = fc.string({ unit: "grapheme", maxLength: 60 }).map((text) => text.replace(/\p{C}/gu, ""));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), fc.integer({ min: 30, max: 200 }), (rows, width) => {
        const columns: readonly Column[] = [
          { title: "a", align: "left", atLeast: 8 },
          { title: "b", align: "right", atLeast: 8 },
        ];
        for (const line of formatTable(columns, rows, { width, paint }).split("\n"))
          expect(stringWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

it("clips between displayed characters", () => {
  expect(clip("fix the tests", 13)).toBe("fix the tests");
  expect(clip("fix the tests", 8)).toBe("fix the…");
  expect(clip("修复登录", 5)).toBe("修复…");
  expect(clip("a👩‍👩‍👧‍👦b", 3)).toBe("a…");
  expect(clipStart("/home/me/project/src/a.ts", 10)).toBe("…/src/a.ts");
});

it("draws bars to an eighth", () => {
  expect([0, 0.5, 0.8125, 1, 7].map((share) => drawBar(share, 2))).toEqual(["", "█", "█▋", "██", "██"]);
});

it("breaks text between words", () => {
  expect(wrap("one two three", 10)).toBe("  one two\n  three\n");
});
