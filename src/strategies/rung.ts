import type { Mechanism } from "../edits/mechanism.ts";
import type { Proposal } from "../edits/proposal.ts";
import type { Facts } from "../facts/facts.ts";

/** The session as it is shown now: what the ladder has to know beside the facts. */
export interface Shown {
  /** Tokens per part. */
  readonly tokens: readonly number[];
  /** Does any edit of it stand? */
  isCut(part: number): boolean;
}

/**
 * One means of the ladder that old text goes down under pressure. Gives what it would cut now, in the order in which it
 * should go; as much of it is taken as is needed. A later rung may cut again what an earlier one has shortened.
 */
export interface Rung {
  readonly name: string;
  /** What its cuts count as in statistics; `other` unless told. */
  readonly mechanism?: Mechanism;
  propose(facts: Facts, shown: Shown): Iterable<Proposal>;
}
