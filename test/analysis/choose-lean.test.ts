import { expect, test } from "vitest";
import { chooseLean } from "../../src/analysis/choose-lean.ts";
import type { SessionUse } from "../../src/analysis/session-use.ts";
import { listHistories } from "../../src/analysis/tool-history.ts";
import type { InventoryItem } from "../../src/prefix/inventory.ts";

const tool = (name: string, tokens: number, over: Partial<InventoryItem> = {}): InventoryItem => ({
  ...{ group: "built-in tools", name, isTool: true, tokens },
  ...over,
});
const ITEMS = [
  tool("Bash", 900),
  tool("Agent", 1_100),
  tool("Workflow", 1_300),
  tool("mcp__words__look_up", 50, { group: "MCP servers", server: "words" }),
  tool("WebFetch", 3, { group: "deferred tools" }),
  tool("exec", 800),
  tool("apply_patch", 60, { within: "exec" }),
  { group: "system prompt", name: "Style", tokens: 400 },
] as const;

function choose(calls: readonly string[], sessions: number, keep: readonly string[] = []) {
  const uses = Array.from(
    { length: sessions },
    (): SessionUse => ({
      source: "claude-code",
      project: "/p",
      tools: calls.map((name) => ({ name, calls: 1 })),
      requests: [],
    }),
  );
  const isKept = (name: string) => keep.includes(name);
  return chooseLean(ITEMS, { histories: listHistories(uses, "/p"), isKept }).map(({ name }) => name);
}

test("lists tools that were never called, largest first; deferred ones and those that another describes stay", () => {
  expect(choose(["Bash"], 12)).toEqual(["Workflow", "Agent", "exec", "mcp__words__look_up"]);
});

test("a tool that describes one that was called stays", () => {
  expect(choose(["Bash", "apply_patch"], 12)).toEqual(["Workflow", "Agent", "mcp__words__look_up"]);
});

test("some can be kept", () => {
  expect(choose(["Bash"], 12, ["Agent", "exec"])).toEqual(["Workflow", "mcp__words__look_up"]);
});

test("fewer than ten sessions prove nothing", () => {
  expect(choose(["Bash"], 9)).toEqual([]);
});
