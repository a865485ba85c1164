import { type CutPlan, type SignedPlan, signPlan } from "../edits/cut-plan.ts";
import type { Mechanism } from "../edits/mechanism.ts";
import type { Facts } from "../facts/facts.ts";
import type { Workbench } from "../workbench/workbench.ts";

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
  propose(facts: Facts, shown: ShownSession): Iterable<CutPlan>;
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
  /** Makes the cut if it is allowed. The rung sees the result before it gives its next plan. */
  cut(plan: SignedPlan): void;
}

/** As much of these rungs as is needed. */
export function climb(rungs: readonly Rung[], table: Table, { floor, end, isDone, cut }: Climb): void {
  const { facts, ledger, view } = table;
  const shown = { tokens: view.tokens, isCut: (part: number) => ledger.isCut(facts.transcript.key(part)) };
  for (const rung of rungs) {
    if (isDone()) return;
    for (const plan of rung.propose(facts, shown)) {
      if (isDone()) return;
      if (plan.part <= floor || plan.part >= end) continue;
      cut(signPlan(plan, rung));
    }
  }
}
