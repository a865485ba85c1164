import type { Mechanism } from "../edits/mechanism.ts";
import type { Proposal } from "../edits/proposal.ts";
import type { Facts } from "../facts/facts.ts";

/** The session as it is shown now, for rungs. */
export interface Shown {
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
  propose(facts: Facts, shown: Shown): Iterable<Proposal>;
}
