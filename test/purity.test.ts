import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const SRC = resolve("src");

/** The only places that may use the machine; the biome rule has the same list. */
const MAY_TOUCH = ["hosts/", "stores/", "cli/", "page/", "recordings/files.ts", "config/files.ts"];

/** Imports of the machine, the environment, the clock and the network. */
const IMPURE: readonly (readonly [string, RegExp])[] = [
  ["a node: import", /["']node:[a-z]|from\s+["'](?:fs|path|os|child_process|http|crypto)["'/]/],
  ["process", /\bprocess\.(?!exitCode\b)/],
  ["the clock", /\bDate\.now\(|\bnew Date\(\s*\)|\bperformance\.now\(/],
  ["chance", /\bMath\.random\(/],
  ["the network", /\bfetch\(\s*["'`h]/],
];

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : path.endsWith(".ts") ? [path] : [];
  });
}

const files = sources(SRC).map((path) => relative(SRC, path));
const pure = files.filter((file) => !MAY_TOUCH.some((place) => file.startsWith(place)));

test("there are pure files to check, in every room", () => {
  expect(pure.length).toBeGreaterThan(50);
  for (const room of [
    "transcript",
    "formats",
    "tool-kinds",
    "facts",
    "strategies",
    "edits",
    "schedule",
    "models",
    "agent",
    "answers",
    "fold",
    "protection",
    "replace",
    "reports",
    "analysis",
    "replay",
    "wires",
  ]) {
    expect(
      pure.some((file) => file.startsWith(`${room}/`)),
      room,
    ).toBe(true);
  }
});

test.each(pure)("%s is pure", (file) => {
  const text = readFileSync(join(SRC, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  for (const [what, pattern] of IMPURE) expect(pattern.test(text), `uses ${what}`).toBe(false);
});

test("the check finds every kind of impure code", () => {
  const found = (text: string) => IMPURE.filter(([, pattern]) => pattern.test(text)).map(([what]) => what);
  expect(found('import { readFileSync } from "node:fs";')).toEqual(["a node: import"]);
  expect(found('import "node:fs";')).toEqual(["a node: import"]);
  expect(found('await import("node:os")')).toEqual(["a node: import"]);
  expect(found("const now = Date.now();")).toEqual(["the clock"]);
  expect(found("process.env.HOME")).toEqual(["process"]);
});
