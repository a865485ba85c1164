import type { Mechanism } from "../edits/mechanism.ts";
import type { Proposal } from "../edits/proposal.ts";
import type { Facts } from "../facts/facts.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { withMechanism } from "./strategy.ts";

/** The session as it is shown now, for rungs. */
export interface ShownSession {
  /** Tokens per part. */
  readonly tokens: readonly number[];
  /** Does the part have a standing edit? */
  isCut(part: number): boolean;
}

/**
 * One step of the ladder that old text goes down under pressure. Proposes what it would cut now, in the order in which
 * it should be cut; only as much as needed is taken. A later rung may cut again what an earlier one has shortened.
 */
export interface Rung {
  readonly name: string;
  /** What its cuts count as in statistics; `other` without one. */
  readonly mechanism?: Mechanism;
  propose(facts: Facts, shown: ShownSession): Iterable<Proposal>;
}

/** What old text is cut from. */
type Table = Pick<Workbench, "facts" | "ledger" | "view">;

/** How far to go. */
interface Climb {
  /** Nothing changes up to this part … */
  readonly floor: number;
  /** … nor from this one on. */
  readonly end: number;
  isDone(): boolean;
  /** Cuts it, if that may be: a rung is asked for the next only then, and sees what became of this one. */
  cut(proposal: Proposal, author: string): void;
}

/** As much of these rungs as is needed. */
export function climb(rungs: readonly Rung[], table: Table, { floor, end, isDone, cut }: Climb): void {
  const { facts, ledger, view } = table;
  const shown = { tokens: view.tokens, isCut: (part: number) => ledger.isCut(facts.transcript.key(part)) };
  for (const rung of rungs) {
    if (isDone()) return;
    for (const proposal of rung.propose(facts, shown)) {
      if (isDone()) return;
      if (proposal.part <= floor || proposal.part >= end) continue;
      cut(withMechanism(proposal, rung), rung.name);
    }
  }
}
