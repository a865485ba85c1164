import type { Facts } from "../facts/facts.ts";
import type { SignedPlan } from "./cut-plan.ts";
import type { Cutting } from "./cutting.ts";
import type { Ledger } from "./ledger.ts";

/**
 * For models whose signed reasoning is bound to the exact text before it: the last reasoning part that must stay
 * valid. Nothing before it may change. −1 if there is no such part. Reasoning that the host no longer sends binds
 * nothing. A provider that clears old reasoning itself keeps the newest, which is bound to everything before it.
 *
 * @param mayDrop the reasoning of finished turns may go (under pressure, or where that is allowed), so only that of the
 *   current turn counts
 */
export function boundFloor(facts: Facts, ledger: Ledger, mayDrop: boolean): number {
  const { transcript, signed } = facts;
  const last = signed.findLast((index) => !ledger.isDropped(transcript.key(index)));
  if (last === undefined) return -1;
  return mayDrop && transcript.turn[last] !== transcript.lastTurn ? -1 : last;
}

/** Drops the reasoning that a cut makes void. */
export function dropVoidReasoning(
  { transcript, signed }: Facts,
  ledger: Ledger,
  cutting: Cutting,
  by: Pick<SignedPlan, "author" | "mechanism" | "reason">,
): void {
  const { from } = cutting;
  const behind = signed.slice(signed.findLastIndex((part) => part <= from) + 1);
  for (const part of behind)
    if (!ledger.isDropped(transcript.key(part))) cutting.apply({ drop: true, part, ...by });
}
