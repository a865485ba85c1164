import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const pages = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"],
  ...readdirSync("docs")
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
];

/** Longer lines are hard to read in an editor and in a diff. Rows of tables and code can't be wrapped. */
const LONGEST = 160;

test.each(pages)("%s: no line of prose is too long", (page) => {
  let isCode = false;
  const long = readFileSync(page, "utf8")
    .split("\n")
    .flatMap((line, i) => {
      if (/^\s*```/.test(line)) isCode = !isCode;
      return isCode || line.startsWith("|") || line.length <= LONGEST ? [] : [`${page}:${i + 1}`];
    });
  expect(long).toEqual([]);
});
