import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Phrases at which a native reader stumbles, and the usual words. The plain word belongs there, not another worn one. */
const WORN: readonly (readonly [RegExp, string])[] = [
  [/\bdearer\b/i, "more expensive"],
  [/\breckon(?:s|ed|ing)?\b/i, "computed, counted"],
  [/\b(?:is|are|was|were) foretold\b|\bforetells?\b/i, "predicted"],
  [/\b(?:has|have|is|are) done with\b/i, "no longer needs"],
  [/\bspares? nothing\b/i, "also removes"],
  [/\b(?:is|are|was|were) owed\b/i, "pending"],
  [/(?<!\bthere )\b(?:is|are|was|were) none\b/i, "there is no …, or: not a …"],
  [
    /(?<!\bthere )\b(?:is|are) no (?:sessions?|messages?|lists?|refs?|formats?|files?|names?|pieces?|content)\b/i,
    "not a …",
  ],
  [/\bnobody has set\b/i, "the default"],
  [/\bso many (?:steps|tokens|of)\b/i, "this number of"],
  [/\b(?:can|could) be told\b/i, "can be recognized"],
  [/\bunless (?:\w+ )?told\b/i, "by default"],
  [/\bheeded\b/i, "used, respected"],
  [/\b(?:begins|ends|cuts?|counts?) otherwise\b|\botherwise than\b/i, "differently"],
];

const listFiles = (folder: string, ending: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file));

const OWN = join("test", "plain-words.test.ts");

const texts = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"],
  ...listFiles("docs", /\.md$/),
  ...listFiles("src", /\.tsx?$/),
  ...listFiles("test", /\.ts$/).filter((file) => file !== OWN),
].map((file) => ({ file, lines: readProse(readFileSync(file, "utf8")) }));

/** Lines without code blocks, and without tables that come from the schema: `src/` has their words. */
function readProse(text: string): readonly string[] {
  const blank = (block: string) => block.replace(/[^\n]/g, "");
  return text
    .replace(/^```[\s\S]*?^```/gm, blank)
    .replace(/<!-- settings: generated -->[\s\S]*?<!-- \/settings -->/g, blank)
    .split("\n");
}

/** The newest section alone: older ones are history. */
const [, newest = ""] = readFileSync("CHANGELOG.md", "utf8").split(/^## /m);

/** Where the words are, with what to write: `docs/cli.md:12: dearer (more expensive)`. */
function findWorn(file: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, i) =>
    WORN.flatMap(([worn, plain]) => {
      const [found] = worn.exec(line) ?? [];
      return found === undefined ? [] : [`${file}:${i + 1}: ${found} (${plain})`];
    }),
  );
}

test("a worn phrase is found with its line, and plain English is not", () => {
  expect(findWorn("a.md", ["ok", "a dearer cut, as this is none"])).toEqual([
    "a.md:2: dearer (more expensive)",
    "a.md:2: is none (there is no …, or: not a …)",
  ]);
  expect(
    findWorn("a.md", [
      "a more expensive cut",
      "It has none, and there is none.",
      "Otherwise it waits.",
      "There is no file.",
    ]),
  ).toEqual([]);
});

test.each(texts)("$file says it plainly", ({ file, lines }) => {
  expect(findWorn(file, lines)).toEqual([]);
});

test("the newest section of CHANGELOG.md says it plainly", () => {
  // Its heading is on line 3.
  expect(findWorn("CHANGELOG.md", ["", "", ...readProse(newest)])).toEqual([]);
});
