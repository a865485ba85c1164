import type { Facts } from "../facts/facts.ts";
import type { Ledger } from "./ledger.ts";

/**
 * For models whose signed reasoning is bound to the exact text before it: the last reasoning part that has to stay
 * valid, so nothing before it may change; −1 if there is none. Under pressure the reasoning of finished turns may go,
 * so only that of the current turn counts.
 */
export function boundFloor(facts: Facts, ledger: Ledger, pressed: boolean): number {
  const { transcript, signed } = facts;
  const last = signed.findLast((index) => !ledger.isDropped(transcript.key(index)));
  if (last === undefined) return -1;
  return pressed && transcript.turn[last] !== transcript.lastTurn ? -1 : last;
}

/** The signed reasoning that a cut at `from` makes invalid: it has to be dropped with that cut. */
export function listVoidReasoning(facts: Facts, ledger: Ledger, from: number): readonly number[] {
  const { transcript, signed } = facts;
  return signed.filter((index) => index > from && !ledger.isDropped(transcript.key(index)));
}
