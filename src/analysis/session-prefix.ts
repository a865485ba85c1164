import { groupItems, type InventoryItem, sumLoaded } from "../prefix/inventory.ts";
import type { PrefixGroup } from "../prefix/piece.ts";

/**
 * The text that one session sends before its first message, and the tools that it has called. Names and sizes, no
 * text. Plain data.
 */
export interface SessionPrefix {
  /** Tokens that the model gets with every request. */
  readonly tokens: number;
  readonly groups: readonly { readonly group: PrefixGroup; readonly tokens: number }[];
  /** The largest first. */
  readonly servers: readonly ServerSize[];
  /** The largest tools that the model gets, and the number of all. */
  readonly tools: readonly ToolSize[];
  readonly toolCount: number;
  /** The tools that the model gets but this session has not called. */
  readonly unused: { readonly tools: number; readonly tokens: number };
}

export interface ToolSize {
  readonly name: string;
  readonly tokens: number;
  readonly isCalled: boolean;
}

/** An MCP server: its tools and its instructions, without definitions that the model has to search for. */
export interface ServerSize {
  readonly server: string;
  readonly tokens: number;
  readonly tools: number;
  /** How many of its tools were called. */
  readonly called: number;
}

const TOOLS_LISTED = 15;

export function describePrefix(
  items: readonly InventoryItem[],
  isCalled: (tool: string) => boolean,
): SessionPrefix {
  const loaded = items
    .filter(({ isTool, isHidden }) => isTool && !isHidden)
    .map(({ name, tokens }): ToolSize => ({ name, tokens, isCalled: isCalled(name) }))
    .sort((a, b) => b.tokens - a.tokens);
  const unused = loaded.filter((tool) => !tool.isCalled);
  return {
    tokens: sumLoaded(items),
    groups: groupItems(items).map(({ group, tokens }) => ({ group, tokens })),
    servers: listServers(items, isCalled),
    tools: loaded.slice(0, TOOLS_LISTED),
    toolCount: loaded.length,
    unused: { tools: unused.length, tokens: unused.reduce((sum, { tokens }) => sum + tokens, 0) },
  };
}

function listServers(
  items: readonly InventoryItem[],
  isCalled: (tool: string) => boolean,
): readonly ServerSize[] {
  const servers = new Map<string, { server: string; tokens: number; tools: number; called: number }>();
  for (const { server, name, tokens, isTool, isHidden } of items) {
    if (server === undefined) continue;
    const sum = servers.get(server) ?? { server, tokens: 0, tools: 0, called: 0 };
    servers.set(server, sum);
    if (!isHidden) sum.tokens += tokens;
    if (!isTool) continue;
    sum.tools++;
    if (isCalled(name)) sum.called++;
  }
  return [...servers.values()].sort((a, b) => b.tokens - a.tokens);
}
