import type { InventoryItem } from "./inventory.ts";
import type { PrefixGroup } from "./piece.ts";

/** How an MCP server, a file, a tool or a section differs from the last inventory. */
export interface PrefixChange {
  readonly group: PrefixGroup;
  readonly name: string;
  /** Tokens then and now; 0: it did not exist, or no longer exists. */
  readonly before: number;
  readonly after: number;
}

/** Smaller differences are only a date or a number of files. */
const LEAST = 50;

/** The largest differences first. The items of an MCP server count together. */
export function compareInventories(
  before: readonly InventoryItem[],
  after: readonly InventoryItem[],
): readonly PrefixChange[] {
  const [old, now] = [sumByName(before), sumByName(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((key) => {
      const { group, name } = (now.get(key) ?? old.get(key)) as Sum;
      return { group, name, before: old.get(key)?.tokens ?? 0, after: now.get(key)?.tokens ?? 0 };
    })
    .filter((change) => Math.abs(change.after - change.before) >= LEAST)
    .sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
}

interface Sum {
  readonly group: PrefixGroup;
  readonly name: string;
  tokens: number;
}

function sumByName(items: readonly InventoryItem[]): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const { group, name: own, server, tokens } of items) {
    const name = server ?? own;
    const key = JSON.stringify([group, name]);
    const sum = sums.get(key);
    if (sum) sum.tokens += tokens;
    else sums.set(key, { group, name, tokens });
  }
  return sums;
}
