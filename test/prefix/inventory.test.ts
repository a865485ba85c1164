import { expect, test } from "vitest";
import { compareInventories } from "../../src/prefix/compare-inventories.ts";
import { groupItems, sumLoaded, takeInventory } from "../../src/prefix/inventory.ts";
import type { PrefixPiece } from "../../src/prefix/piece.ts";

const PIECES: readonly PrefixPiece[] = [
  { group: "built-in tools", name: "Bash", isTool: true, text: "x".repeat(300) },
  { group: "MCP servers", name: "a", server: "words", isTool: true, text: "x".repeat(40) },
  { group: "MCP servers", name: "b", server: "words", isTool: true, text: "x".repeat(40) },
  { group: "deferred tools", name: "c", isTool: true, isHidden: true, text: "x".repeat(500) },
  { group: "system prompt", name: "Style", text: "x".repeat(100) },
];
const { items } = takeInventory(PIECES, "m", (text) => text.length);

test("names and sizes, no text", () => {
  expect(JSON.stringify(items)).not.toContain("xxx");
  expect(groupItems(items).map(({ group, tokens }) => [group, tokens])).toEqual([
    ["system prompt", 100],
    ["MCP servers", 80],
    ["built-in tools", 300],
    ["deferred tools", 500],
  ]);
});

test("definitions that wait to be searched for are not loaded", () => {
  expect(sumLoaded(items)).toBe(480);
});

test("the changes: a server counts as one, small differences are ignored", () => {
  const now = [
    ...items
      .filter(({ name }) => name !== "Bash" && name !== "b")
      .map((item) => (item.name === "Style" ? { ...item, tokens: 140 } : item)),
    { group: "MCP servers", name: "b", server: "words", tokens: 9_000 } as const,
    { group: "memory files", name: "/p/CLAUDE.md", tokens: 60 } as const,
  ];
  expect(compareInventories(items, now)).toEqual([
    { group: "MCP servers", name: "words", before: 80, after: 9_040 },
    { group: "built-in tools", name: "Bash", before: 300, after: 0 },
    { group: "memory files", name: "/p/CLAUDE.md", before: 0, after: 60 },
  ]);
  expect(compareInventories(items, items)).toEqual([]);
});
