import { expect, test } from "vitest";
import { describePrefix } from "../../src/analysis/session-prefix.ts";
import type { InventoryItem } from "../../src/prefix/inventory.ts";

const tool = (name: string, tokens: number, over: Partial<InventoryItem> = {}): InventoryItem => ({
  ...{ group: "built-in tools", name, tokens, isTool: true },
  ...over,
});
const ITEMS: readonly InventoryItem[] = [
  { group: "system prompt", name: "system prompt", tokens: 100 },
  { group: "MCP servers", name: "instructions", server: "words", tokens: 7 },
  tool("Bash", 50),
  tool("Agent", 300),
  tool("look_up", 20, { group: "MCP servers", server: "words" }),
  tool("later", 900, { group: "deferred tools", server: "words", isHidden: true }),
];

test("the largest tools first, the called ones, and the others", () => {
  const prefix = describePrefix(ITEMS, (name) => name === "Bash");
  expect(prefix).toEqual({
    tokens: 477,
    groups: [
      { group: "system prompt", tokens: 100 },
      { group: "MCP servers", tokens: 27 },
      { group: "built-in tools", tokens: 350 },
      { group: "deferred tools", tokens: 900 },
    ],
    servers: [{ server: "words", tokens: 27, tools: 2, called: 0 }],
    tools: [
      { name: "Agent", tokens: 300, isCalled: false },
      { name: "Bash", tokens: 50, isCalled: true },
      { name: "look_up", tokens: 20, isCalled: false },
    ],
    toolCount: 3,
    unused: { tools: 2, tokens: 320 },
  });
});

test("only the largest tools are listed; all are counted", () => {
  const many = Array.from({ length: 40 }, (_, i) => tool(`t${i}`, i));
  const { tools, toolCount, unused } = describePrefix(many, () => false);
  expect([tools.length, toolCount, unused.tools, tools[0]?.name]).toEqual([15, 40, 40, "t39"]);
});
