import type { Cut } from "../edits/edit.ts";
import type { LedgerEntry } from "../edits/ledger.ts";
import type { Mechanism } from "../edits/mechanism.ts";

/** The mechanism of a cut. It is `other` for cuts of older versions without one, and for passes that name none. */
export function mechanismOf({ mechanism }: Pick<Cut, "mechanism">): Mechanism {
  return mechanism ?? "other";
}

export interface Tally {
  readonly cuts: number;
  readonly tokens: number;
}

export type Tallies = Readonly<Partial<Record<Mechanism, Tally>>>;

/** The active cuts, counted by mechanism. */
export function countByMechanism(edits: readonly LedgerEntry[]): Tallies {
  const undone = new Set(edits.flatMap(({ edit }) => (edit.type === "undo" ? [edit.target] : [])));
  const tallies: Partial<Record<Mechanism, Tally>> = {};
  for (const { edit } of edits) {
    if (edit.type === "undo" || undone.has(edit.id)) continue;
    const mechanism = mechanismOf(edit);
    tallies[mechanism] = addTally(tallies[mechanism], { cuts: 1, tokens: edit.saved });
  }
  return tallies;
}

export function addTally(a: Tally | undefined, b: Tally | undefined): Tally {
  return { cuts: (a?.cuts ?? 0) + (b?.cuts ?? 0), tokens: (a?.tokens ?? 0) + (b?.tokens ?? 0) };
}
