import { describe, expect, test } from "vitest";
import { isShownIn, writeChanges } from "../../src/facts/compare-views.ts";
import { type FileText, readFileText } from "../../src/facts/file-text.ts";
import type { LineRange } from "../../src/tool-kinds/tool-use.ts";

function read(text: string, range?: LineRange): FileText {
  const view = readFileText(text, range);
  if (!view) throw new Error("it is no view");
  return view;
}

const OPENCODE =
  "<path>/w/a.ts</path>\n<type>file</type>\n<content>1: a\n2: b\n\n(End of file - total 2 lines)\n</content>";

describe("the lines of a view", () => {
  test.each<[string, string, LineRange | undefined, readonly string[], number]>([
    ["as they are", "a\nb\n", undefined, ["a", "b"], 1],
    ["from the range", "b\nc", { from: 2, to: 3 }, ["b", "c"], 2],
    ["Claude Code", "    9→a\n   10→\n   11→ c", { from: 9 }, ["a", "", " c"], 9],
    ["OpenCode", OPENCODE, undefined, ["a", "b"], 1],
    ["cat -n", "     1\ta\n     2\tb", undefined, ["a", "b"], 1],
    ["numbers that are not lines'", "1: a\n3: b\n4: c", undefined, ["1: a", "3: b", "4: c"], 1],
  ])("%s", (_, text, range, lines, first) => expect(read(text, range)).toMatchObject({ lines, first }));

  test("counted from the end, nobody knows which", () => {
    expect(readFileText("a\nb", { from: -2 })).toBeUndefined();
  });
});

describe("shown before", () => {
  const copy = read("a\nb\nc\nd");
  test.each<[string, FileText, boolean]>([
    ["a range", read("b\nc", { from: 2, to: 3 }), true],
    ["the same lines at another place", read("b\nc", { from: 3, to: 4 }), false],
    ["more than there is", read("d\ne", { from: 4, to: 5 }), false],
    ["another text", read("b\nx", { from: 2, to: 3 }), false],
    ["with numbers that the copy has not", read("2: b\n3: c"), false],
  ])("%s", (_, again, expected) => expect(isShownIn(copy, again)).toBe(expected));

  test("without the numbers that the copy has", () => {
    expect(isShownIn(read("1: a\n2: b"), read("b", { from: 2, to: 2 }))).toBe(true);
  });

  test("a new note of the tool counts as a change", () => {
    const copied = read("1: a\n2: b");
    expect(isShownIn(copied, read("1: a\n2: b\nERROR in line 2"))).toBe(false);
    expect(isShownIn(read("1: a\n2: b\nuse offset"), read("1: a\n2: b\nuse offset"))).toBe(true);
  });
});

describe("the changes", () => {
  const old = read("a\nb\nc\nd\ne\nf\ng\nh");
  test.each<[string, string, string | undefined]>([
    ["a line", "a\nb\nc\nX\ne\nf\ng\nh", "@@ -3,3 +3,3 @@\n c\n-d\n+X\n e"],
    [
      "lines more, and less",
      "a\nb\nX\nc\nd\ne\nf\nh",
      "@@ -2,2 +2,3 @@\n b\n+X\n c\n@@ -6,3 +7,2 @@\n f\n-g\n h",
    ],
    ["two near each other", "a\nX\nc\nY\ne\nf\ng\nh", "@@ -1,5 +1,5 @@\n a\n-b\n+X\n c\n-d\n+Y\n e"],
    ["at both ends", "X\nb\nc\nd\ne\nf\ng\nh\ni", "@@ -1,2 +1,2 @@\n-a\n+X\n b\n@@ -8,1 +8,2 @@\n h\n+i"],
  ])("%s", (_, now, expected) => expect(writeChanges(old, read(now))).toBe(expected));

  test("of a view that begins elsewhere are unknown", () => {
    expect(writeChanges(old, read("b\nX", { from: 2, to: 3 }))).toBeUndefined();
  });
});
