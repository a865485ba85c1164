import { admit } from "../edits/admit.ts";
import type { Cutting } from "../edits/cutting.ts";
import type { Cut } from "../edits/edit.ts";
import type { Draft } from "../edits/guard.ts";
import type { Guarded } from "../edits/refusal.ts";
import type { Facts } from "../facts/facts.ts";
import type { Rung, Shown } from "../strategies/rung.ts";
import { withMechanism } from "../strategies/strategy.ts";

/** Where a rung may cut, and how far to go. */
interface Climb {
  /** Only parts after `floor` and before `end`. */
  readonly floor: number;
  readonly end: number;
  readonly cutting: Cutting;
  isDone(): boolean;
  guard(draft: Draft): Guarded<Cut>;
}

/** Applies proposals of a rung until enough is cut. */
export function climb(rung: Rung, facts: Facts, shown: Shown, limits: Climb): void {
  for (const proposal of rung.propose(facts, shown)) {
    if (limits.isDone()) return;
    if (proposal.part <= limits.floor || proposal.part >= limits.end) continue;
    const [asked = proposal] = withMechanism([proposal], rung);
    const admitted = admit(asked, rung.name, limits.guard);
    if (admitted.ok) limits.cutting.apply(admitted.value.drafts);
  }
}
