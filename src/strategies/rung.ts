import { type CutPlan, type SignedPlan, signPlan } from "../edits/cut-plan.ts";
import type { Mechanism } from "../edits/mechanism.ts";
import type { Workbench } from "../edits/workbench.ts";
import type { Facts } from "../facts/facts.ts";

/** The session as it is shown now, for rungs. */
export interface ShownSession {
  /** Tokens per part. */
  readonly tokens: readonly number[];
  /** Does the part have an active edit? */
  isCut(part: number): boolean;
}

/**
 * One rung of the ladder: under pressure, old text is cut rung by rung. A rung plans what it would cut now, in order
 * of preference. Only as much as needed is cut. A later rung may cut text again that an earlier one shortened.
 */
export interface Rung {
  readonly name: string;
  /** The category of its cuts in statistics; `other` without one. */
  readonly mechanism?: Mechanism;
  propose(facts: Facts, shown: ShownSession): Iterable<CutPlan>;
}

/** The session that the rungs cut from. */
type Table = Pick<Workbench, "facts" | "ledger" | "view">;

/** The bounds of a climb. */
interface Climb {
  /** Nothing up to this part changes … */
  readonly floor: number;
  /** … and nothing from this part on. */
  readonly end: number;
  isDone(): boolean;
  /** Makes the cut if it is allowed. The rung sees the result before it gives its next plan. */
  cut(plan: SignedPlan): void;
}

/** Applies the rungs in order, as far as needed. */
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
