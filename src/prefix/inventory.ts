import type { PieceName, PrefixGroup, PrefixPiece } from "./piece.ts";
import { PREFIX_GROUPS } from "./piece.ts";

/** A piece with its size and without its text. */
export interface InventoryItem extends PieceName {
  readonly tokens: number;
}

/** The client's text before the first message: names and sizes, no text. */
export interface Inventory {
  readonly model?: string;
  /** In the order of the request. */
  readonly items: readonly InventoryItem[];
}

/** @param count counts the tokens of a text */
export function takeInventory(
  pieces: readonly PrefixPiece[],
  model: string | undefined,
  count: (text: string) => number,
): Inventory {
  return {
    ...(model !== undefined && { model }),
    items: pieces.map(({ text, ...name }) => ({ ...name, tokens: count(text) })),
  };
}

/** Tokens that the model gets: excludes definitions that it has to search for. */
export function sumLoaded(items: readonly InventoryItem[]): number {
  return items.reduce((sum, { tokens, isHidden }) => sum + (isHidden ? 0 : tokens), 0);
}

export interface GroupSum {
  readonly group: PrefixGroup;
  readonly tokens: number;
  readonly items: readonly InventoryItem[];
}

/** Groups that have items, in their fixed order. */
export function groupItems(items: readonly InventoryItem[]): readonly GroupSum[] {
  return PREFIX_GROUPS.map((group) => {
    const own = items.filter((item) => item.group === group);
    return { group, items: own, tokens: own.reduce((sum, { tokens }) => sum + tokens, 0) };
  }).filter(({ items: own }) => own.length > 0);
}
