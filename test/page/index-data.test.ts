import { expect, test } from "vitest";
import { findSessions, nameSession, sortSessions } from "../../src/page/app/index/sort-sessions.ts";
import type { SessionRowData } from "../../src/page/index-data.ts";
import { nameFolder } from "../../src/page/name-folder.ts";

const row = (path: string, over: Partial<SessionRowData> = {}): SessionRowData => ({
  path,
  source: "codex",
  models: [],
  requests: 1,
  share: 0,
  estimated: false,
  ...over,
});
const rows = [
  row("/s/a.jsonl", { project: "/home/ada/shop", prompt: "Fix the login", dollars: 3, saved: 1, start: 20 }),
  row("/s/b.jsonl", { source: "claude-code", models: ["opus"], requests: 9 }),
  row("/s/c.jsonl", { prompt: "Add a Zebra", dollars: 30, saved: 0.5, start: 10 }),
];
const paths = (found: readonly SessionRowData[]) => found.map(({ path }) => path.at(3));

test.each([
  ["saved", true, "acb"],
  ["saved", false, "cab"],
  ["bill", true, "cab"],
  ["requests", true, "bac"],
  ["date", false, "cab"],
  ["agent", false, "bac"],
  ["session", false, "cba"],
] as const)("sorted by %s, largest first: %s", (by, isDown, expected) => {
  expect(paths(sortSessions(rows, { by, isDown })).join("")).toBe(expected);
});

test.each([
  ["", "abc"],
  ["LOGIN shop", "a"],
  ["claude opus", "b"],
  ["c.jsonl", "c"],
  ["nothing", ""],
])("searched for %j", (query, expected) => {
  expect(paths(findSessions(rows, query)).join("")).toBe(expected);
});

test("a session is named after its project and its prompt, or after its file", () => {
  expect(rows.map(nameSession)).toEqual(["shop: Fix the login", "b.jsonl", "Add a Zebra"]);
  expect(["/a/b/", "C:\\a\\b", "/", "b"].map(nameFolder)).toEqual(["b", "b", "/", "b"]);
});
