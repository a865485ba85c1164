import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join("src", file), "utf8") }));

/** The rows of the tables: the word, and the names in backticks in the last column. */
const rows = readFileSync("docs/glossary.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| word |"))
  .map((line) => {
    const cells = line.slice(1, -1).split("|");
    const names = [...(cells.at(-1) ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    return { word: cells[0]?.trim() ?? "", names };
  });

test("no exported type name exists twice", () => {
  const places = new Map<string, string[]>();
  for (const { file, text } of sources)
    for (const [, name = ""] of text.matchAll(/^export (?:abstract )?(?:interface|type|class|enum) (\w+)/gm))
      places.set(name, [...(places.get(name) ?? []), file]);
  expect(places.size).toBeGreaterThan(500);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

test("each word of the glossary is explained once", () => {
  const words = rows.map(({ word }) => word);
  expect(words.length).toBeGreaterThan(40);
  expect(words).toEqual([...new Set(words)]);
});

test.each(rows)("the code has the names that the glossary lists for: $word", ({ names }) => {
  const file = names.find((name) => name.endsWith(".ts")) ?? "";
  expect(existsSync(join("src", file)), file).toBe(true);
  const text = readFileSync(join("src", file), "utf8");
  for (const name of names.filter((each) => each !== file))
    expect(text).toMatch(new RegExp(`^export (?:interface|type|class|function|const) ${name}\\b`, "m"));
});
