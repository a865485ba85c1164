import type { Facts } from "../facts/facts.ts";
import type { Ledger } from "./ledger.ts";

/**
 * Where blocks are bound to the exact text before them, nothing may change before this part: the last block that
 * has to stay valid, or −1. Under pressure the blocks of finished turns may go, so only the current loop counts.
 */
export function boundFloor(facts: Facts, ledger: Ledger, pressed: boolean): number {
  const { transcript, signed } = facts;
  const last = signed.findLast((index) => !ledger.isDropped(transcript.key(index)));
  if (last === undefined) return -1;
  return pressed && transcript.turn[last] !== transcript.lastTurn ? -1 : last;
}

/** The blocks that a cut at `from` makes void: they have to leave with it. */
export function listVoidReasoning(facts: Facts, ledger: Ledger, from: number): readonly number[] {
  const { transcript, signed } = facts;
  return signed.filter((index) => index > from && !ledger.isDropped(transcript.key(index)));
}
