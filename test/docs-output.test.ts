import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The text on the pictures of terminals, by command: CI compares it with the output of the commands. */
const shown = new Map(
  readFileSync("e2e/pictures/shown.txt", "utf8")
    .split(/^=== .*\n/m)
    .flatMap((text): [string, readonly string[]][] => {
      const [first = "", ...lines] = text.split("\n");
      return first.startsWith("$ ") ? [[first, lines]] : [];
    }),
);

const excerpts = ["README.md", ...readdirSync("docs").map((file) => join("docs", file))]
  .filter((file) => file.endsWith(".md"))
  .flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/^```\n(\$ .*)\n([\s\S]*?)^```/gm)].flatMap(
      ([, command = "", block = ""]) => (shown.has(command) ? [{ page, command, block }] : []),
    ),
  );

test("there is output to check", () => {
  expect(excerpts.length).toBeGreaterThan(0);
});

test.each(excerpts)("$page: $command prints this", ({ command, block }) => {
  const lines = block.trimEnd().split("\n");
  // A terminal also draws bars after the figures.
  for (const line of lines.filter((each) => each.trim() !== "…"))
    expect(
      shown.get(command)?.some((each) => each.startsWith(line)),
      line,
    ).toBe(true);
});
