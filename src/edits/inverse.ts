import type { Rewritten } from "./apply.ts";
import type { LedgerEntry } from "./ledger.ts";

/** The ledger of one pruned list and its inverse, as plain JSON. */
export interface LedgerExport<M = unknown> {
  readonly version: 1;
  readonly edits: readonly LedgerEntry[];
  /** The original of every message that was changed or removed. */
  readonly originals: readonly { readonly index: number; readonly removed: boolean; readonly message: M }[];
  /** The last of the pruned messages is a note of ours. */
  readonly note?: true;
}

/** The outcome of `prune`, shake, trimming or `executeReplace`. */
export interface Pruned<M> {
  readonly messages: readonly M[];
  readonly sources: readonly number[];
  readonly note?: Rewritten<M>["note"];
}

export function exportLedger<M>(
  original: readonly M[],
  pruned: Pruned<M>,
  edits: readonly LedgerEntry[],
): LedgerExport<M> {
  const outputOf = new Map(pruned.sources.map((source, i) => [source, pruned.messages[i]]));
  const originals = original.flatMap((message, index) =>
    outputOf.get(index) === message ? [] : [{ index, removed: !outputOf.has(index), message }],
  );
  return { version: 1, edits, originals, ...(pruned.note === "message" && { note: true }) };
}

/** The original messages again, byte for byte: edits undone, notes stripped. */
export function restoreMessages<M>(pruned: readonly M[], ledger: LedgerExport<M>): M[] {
  const restored: M[] = [];
  let next = 0;
  for (const { index, removed, message } of ledger.originals) {
    while (restored.length < index) restored.push(pruned[next++] as M);
    restored.push(message);
    if (!removed) next++;
  }
  return restored.concat(pruned.slice(next, ledger.note ? -1 : undefined));
}
