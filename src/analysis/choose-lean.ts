import type { InventoryItem } from "../prefix/inventory.ts";
import type { ToolHistories } from "./tool-history.ts";

export interface LeanTerms {
  readonly histories: ToolHistories;
  /** Tools that stay, used or not. */
  isKept(tool: string): boolean;
}

/**
 * The tools to leave out: those whose definitions are sent, and that none of the project's newest sessions called.
 * With too few sessions, none is left out. Largest first.
 */
export function chooseLean(
  items: readonly InventoryItem[],
  { histories, isKept }: LeanTerms,
): readonly InventoryItem[] {
  if (!histories.isOfProject) return [];
  const called = (name: string): boolean => histories.of([name]).sessions > 0;
  const needed = new Set(items.flatMap(({ name, within }) => (called(name) && within ? [within] : [])));
  return items
    .filter(
      ({ isTool, group, within, name }) =>
        isTool &&
        group !== "deferred tools" &&
        within === undefined &&
        !isKept(name) &&
        !called(name) &&
        !needed.has(name),
    )
    .sort((a, b) => b.tokens - a.tokens);
}
