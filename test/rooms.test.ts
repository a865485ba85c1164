import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

const SRC = resolve("src");

/**
 * The order of the rooms in ARCHITECTURE.md: each may import from those above it, including types, and from no
 * other.
 */
const ORDER = readOrder(readFileSync("ARCHITECTURE.md", "utf8"));

/** The first column of the table under this heading. */
function readOrder(page: string): readonly string[] {
  const table = page.slice(page.indexOf("## The rooms, in their order"));
  return [...table.slice(0, table.indexOf("\n## ", 1)).matchAll(/^\| `([\w-]+(?:\/|\.ts))` \|/gm)].map(
    ([, room = ""]) => room,
  );
}

interface Import {
  readonly from: string;
  readonly to: string;
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function listImports(path: string, text = readFileSync(path, "utf8")): readonly Import[] {
  const { module } = parseSync(path, text);
  const named = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
  const from = relative(SRC, path);
  return named
    .filter((name) => name.startsWith("."))
    .map((name) => ({ from, to: relative(SRC, resolve(dirname(path), name)) }));
}

function roomOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.indexOf("/") + 1) : file;
}

/** Imports from a room further down, or from none in the list. */
function findBackward(imports: readonly Import[]): readonly string[] {
  const place = (file: string) => ORDER.indexOf(roomOf(file));
  return imports
    .filter(({ from, to }) => place(from) < 0 || place(to) < 0 || place(to) > place(from))
    .map(({ from, to }) => `${from} -> ${to}`);
}

const files = listFiles(SRC);

test("every room is in the list once, and the list contains no other", () => {
  const rooms = [...new Set(files.map((path) => roomOf(relative(SRC, path))))];
  expect([...ORDER].sort()).toEqual(rooms.sort());
});

test("no import runs backwards", () => {
  const imports = files.flatMap((path) => listImports(path));
  expect(imports.length).toBeGreaterThan(1_000);
  expect(findBackward(imports)).toEqual([]);
});

test("a backward import is named, whatever it imports", () => {
  const path = join(SRC, "transcript", "part.ts");
  for (const line of [
    'import { guard } from "../edits/guard.ts";',
    'import type { Draft } from "../edits/guard.ts";',
    'export { guard } from "../edits/guard.ts";',
    'export * from "../edits/guard.ts";',
    'const later = await import("../edits/guard.ts");',
  ])
    expect(findBackward(listImports(path, line)), line).toEqual(["transcript/part.ts -> edits/guard.ts"]);
  expect(findBackward(listImports(path, 'import { isRecord } from "../basics/json.ts";'))).toEqual([]);
});
