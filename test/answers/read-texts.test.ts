import { describe, expect, test } from "vitest";
import { type LineRequest, type Page, readLines, takePage } from "../../src/answers/page-text.ts";
import { searchLines } from "../../src/answers/search-lines.ts";
import { findMatches } from "../../src/replace/find-matches.ts";
import type { ShownText } from "../../src/replace/shown-text.ts";
import { findSimilar } from "../../src/replace/similar-passages.ts";

test.each<[string, LineRequest | undefined]>([
  ["10-40", { line: 10, character: 0, to: 40 }],
  [" 10 - 40 ", { line: 10, character: 0, to: 40 }],
  ["10-", { line: 10, character: 0 }],
  ["10", { line: 10, character: 0, to: 10 }],
  ["10-10", { line: 10, character: 0, to: 10 }],
  ["10@48-", { line: 10, character: 48 }],
  ["10@48-12", { line: 10, character: 48, to: 12 }],
  ["1-", { line: 1, character: 0 }],
  ["0-", undefined],
  ["10-9", undefined],
  ["10 40", undefined],
  ["-40", undefined],
  ["x10-40", undefined],
  ["10-40x", undefined],
  ["", undefined],
])("the lines %j", (text, expected) => {
  expect(readLines(text)).toEqual(expected);
});

describe("a page has at most 1,990 lines and 50,000 bytes", () => {
  const lines = (count: number, text = "x") => Array.from({ length: count }, () => text);
  const from = (line: number, character = 0): LineRequest => ({ line, character });
  const sizeOf = ({ text, last, next }: Page) => ({ bytes: Buffer.byteLength(text), last, next });
  test.each<[string, readonly string[], LineRequest, ReturnType<typeof sizeOf>]>([
    ["all", lines(3), from(1), { bytes: 5, last: 3, next: undefined }],
    ["from a line on", lines(3), from(3), { bytes: 1, last: 3, next: undefined }],
    ["no further than asked", lines(9), { ...from(2), to: 4 }, { bytes: 5, last: 4, next: undefined }],
    ["no further than there is", lines(3), { ...from(1), to: 9 }, { bytes: 5, last: 3, next: undefined }],
    ["1,990 lines", lines(1_990), from(1), { bytes: 3_979, last: 1_990, next: undefined }],
    ["one more", lines(1_991), from(1), { bytes: 3_979, last: 1_990, next: from(1_991) }],
    ["50,000 bytes", lines(500, "x".repeat(99)), from(1), { bytes: 49_999, last: 500, next: undefined }],
    ["one line more", lines(501, "x".repeat(99)), from(1), { bytes: 49_999, last: 500, next: from(501) }],
    [
      "what does not fit beside others",
      ["x", "y".repeat(49_998)],
      from(1),
      { bytes: 1, last: 1, next: from(2) },
    ],
    ["what just does", ["x", "y".repeat(49_997)], from(1), { bytes: 49_999, last: 2, next: undefined }],
    ["a line of a page", ["x".repeat(49_999)], from(1), { bytes: 49_999, last: 1, next: undefined }],
    [
      "a longer one in pieces",
      ["x".repeat(50_000)],
      from(1),
      { bytes: 49_999, last: 1, next: from(1, 49_999) },
    ],
    ["its rest", ["x".repeat(50_000), "y"], from(1, 49_999), { bytes: 3, last: 2, next: undefined }],
    [
      "the next piece",
      ["x".repeat(100_000)],
      from(1, 49_999),
      { bytes: 49_999, last: 1, next: from(1, 99_998) },
    ],
    ["two bytes each", ["ö".repeat(25_000)], from(1), { bytes: 49_998, last: 1, next: from(1, 24_999) }],
    [
      "the first of two bytes",
      ["\u0080".repeat(25_000)],
      from(1),
      { bytes: 49_998, last: 1, next: from(1, 24_999) },
    ],
    [
      "the first of three",
      ["\u0800".repeat(20_000)],
      from(1),
      { bytes: 49_998, last: 1, next: from(1, 16_666) },
    ],
    [
      "behind the pairs",
      ["\ue000".repeat(20_000)],
      from(1),
      { bytes: 49_998, last: 1, next: from(1, 16_666) },
    ],
    ["three", ["€".repeat(20_000)], from(1), { bytes: 49_998, last: 1, next: from(1, 16_666) }],
    [
      "four, and none is split",
      ["😀".repeat(20_000)],
      from(1),
      { bytes: 49_996, last: 1, next: from(1, 24_998) },
    ],
    [
      "nor is the first that is too much",
      [`x${"😀".repeat(20_000)}`],
      from(1),
      { bytes: 49_997, last: 1, next: from(1, 24_999) },
    ],
  ])("%s", (_, given, asked, expected) => {
    expect(sizeOf(takePage(given, asked))).toEqual(expected);
  });
});

describe("a search shows the lines around each match once, and marks gaps", () => {
  const text = Array.from({ length: 20 }, (_, i) =>
    [4, 7, 17].includes(i + 1) ? `Hit ${i + 1}` : `${i + 1}`,
  );
  const search = (asked: LineRequest, wanted = "hit") => searchLines(text, asked, wanted).split("\n");
  test.each<[string, LineRequest, readonly string[]]>([
    [
      "all",
      { line: 1, character: 0 },
      [
        ...[
          '3 lines with "hit":',
          "1-1",
          "2-2",
          "3-3",
          "4:Hit 4",
          "5-5",
          "6-6",
          "7:Hit 7",
          "8-8",
          "9-9",
          "10-10",
        ],
        ...["--", "14-14", "15-15", "16-16", "17:Hit 17", "18-18", "19-19", "20-20"],
      ],
    ],
    [
      "only the lines asked for",
      { line: 6, character: 0, to: 8 },
      ['1 line with "hit":', "6-6", "7:Hit 7", "8-8"],
    ],
    ["none there", { line: 8, character: 0, to: 10 }, ['no line with "hit".']],
    [
      "the last one",
      { line: 17, character: 0, to: 99 },
      ['1 line with "hit":', "17:Hit 17", "18-18", "19-19", "20-20"],
    ],
  ])("%s", (_, asked, expected) => {
    expect(search(asked)).toEqual(expected);
  });

  test("matches with touching surroundings are not separated", () => {
    const near = Array.from({ length: 12 }, (_, i) => (i === 1 || i === 8 ? "hit" : "x"));
    expect(searchLines(near, { line: 1, character: 0 }, "HIT")).not.toContain("--");
    const apart = Array.from({ length: 13 }, (_, i) => (i === 1 || i === 9 ? "hit" : "x"));
    expect(searchLines(apart, { line: 1, character: 0 }, "hit").match(/^--$/gm)?.length).toBe(1);
  });

  test("a long line shows the text around the match", () => {
    const long = `${"a".repeat(2_000)}Hit${"b".repeat(2_000)}`;
    const [, shown = ""] = searchLines([long], { line: 1, character: 0 }, "hit").split("\n");
    expect(shown).toMatch(/^1:…a{250}Hitb{247}…$/);
    expect(searchLines([`hit${"b".repeat(497)}`], { line: 1, character: 0 }, "hit")).toMatch(/b{497}$/);
    expect(searchLines([`hit${"b".repeat(498)}`], { line: 1, character: 0 }, "hit")).toMatch(/…hitb{497}…$/);
  });

  test("text that does not fit is reported as left out", () => {
    const answer = searchLines(Array(3_000).fill("hit"), { line: 1, character: 0 }, "hit");
    expect(answer).toMatch(/^3,000 lines with/);
    expect(answer.split("\n").length).toBe(1 + 1_990 + 1);
    expect(answer).toMatch(/\(more matches follow: .*\)$/);
  });
});

const shown = (text: string, part = 0) => ({ part, text }) as ShownText;

test.each<[string, string, string, readonly string[]]>([
  ["a b c a d", "a", "d", ["a b c a d", "a d"]],
  ["a b b", "a", "b", ["a b"]],
  ["aaa", "a", "a", ["aa", "aa"]],
  ["start", "start", "start", []],
  ["ab", "a", "b", ["ab"]],
  ["b a", "a", "b", []],
])("in %j from %j to %j", (text, start, end, expected) => {
  const matches = findMatches([shown("nothing"), shown(text)], start, end);
  expect(matches.map(({ from, to }) => text.slice(from, to))).toEqual(expected);
});

test("at most a hundred matches per part", () => {
  expect(findMatches([shown("ab".repeat(300)), shown("ab")], "a", "b").length).toBe(101);
});

describe("passages that nearly match", () => {
  const find = (text: string, pattern: string) =>
    findSimilar([shown(text)], pattern).map(({ line, passage }) => [line, passage]);
  const lines = "import fs\nconst total = price * count;\nreturn total\nconst totals = prices * counts;";

  test.each<[string, string, string, readonly (readonly [number, string])[]]>([
    [
      "the best first",
      lines,
      "const total = price * counts;",
      [
        [2, "const total = price * count;"],
        [4, "const totals = prices * counts;"],
      ],
    ],
    [
      "capitals and white space aside",
      "  CONST   total =\tprice",
      "const total = price",
      [[1, "CONST   total =\tprice"]],
    ],
    ["a pattern is known by its longest line", lines, "}\n  return total\n}", [[3, "return total"]]],
    ["nothing like it", lines, "while (queue.length > 0)", []],
    ["too short to tell", lines, "ab", []],
    ["no lines", "", "const total", []],
  ])("%s", (_, text, pattern, expected) => {
    expect(find(text, pattern)).toEqual(expected);
  });

  test("at most three, of the texts together, and of equals the first", () => {
    const texts = [
      shown("one line alike\none line alike\n", 1),
      shown("one line alike\none line alike\n", 2),
    ];
    const found = findSimilar(texts, "one line alike");
    expect(found.map(({ text, line }) => [text.part, line])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
    expect(found.every(({ score }) => score === 1)).toBe(true);
  });

  test.each<[string, string, string, number]>([
    ["what is the same", "Const total", "const TOTAL", 1],
    ["from A to Z", "AZaz", "azAZ", 1],
    ["and no other signs", "[[[{{{", "{{{[[[", 0.5],
    ["white space of any kind and length", "a b\t \tc", "a \t\tb c", 1],
    ["but not none", "a b cde", "abcde", 1 / 3],
    ["repeated trigrams count once", "abcabcabcabc", "abcdabcd", 1 / 4],
    [
      "of a long pattern the start",
      "x".repeat(60) + "y".repeat(60),
      "x".repeat(60) + "y".repeat(60) + "z".repeat(900),
      1,
    ],
  ])("alike: %s", (_, text, pattern, score) => {
    const [found] = findSimilar([shown(text)], pattern);
    expect(found?.score ?? 0).toBeCloseTo(score < 0.5 ? 0 : score, 9);
  });

  test("a better one that comes later comes first, and the fourth best is left out", () => {
    const near = ["abcdefg", "abcdefghijkl", "abcdefghi", "abcdefghij", "abcdefgh"];
    expect(find(near.join("\n"), "abcdefghijkl").map(([line]) => line)).toEqual([2, 4, 3]);
  });

  test("a passage across two pieces of a line is found, once", () => {
    const wanted = "const total = price * count + tax - discount;";
    for (const at of [70, 90, 110, 165, 180, 190, 280]) {
      const text = `${"-".repeat(at)}${wanted}${"-".repeat(500)}`;
      const found = findSimilar([shown(text)], wanted);
      expect(found.map(({ line, score }) => [line, score])).toEqual([[1, 1]]);
    }
  });

  test("half of it is enough, less is not", () => {
    // Of the pattern's ten trigrams, one text has five and the other four.
    expect(find("abcdefg", "abcdefghijkl")).toEqual([[1, "abcdefg"]]);
    expect(find("abcdef......", "abcdefghijkl")).toEqual([]);
  });

  test("a very long line is looked at in pieces", () => {
    const text = `${"x".repeat(950)} const total = price * count; ${"y".repeat(2_000)}`;
    const [[line, passage] = []] = find(text, "const total = price * count;");
    expect(line).toBe(1);
    expect(passage).toContain("const total = price * count;");
    expect(String(passage).length).toBeLessThanOrEqual(200);
  });
});
