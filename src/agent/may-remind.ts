import type { Facts } from "../facts/facts.ts";
import type { ModelProfile } from "../models/profile.ts";

/** Does a reminder for this model have to wait for a person to speak? */
function waitsForTurn({ reasoning }: ModelProfile): boolean {
  return reasoning === "signed" || reasoning === "bound";
}

/**
 * May a reminder stand at the end of this request? Never behind the beginning of an answer. Inside a tool loop not where
 * reasoning is signed (a user's text there makes the provider drop it) or bound to what stands before it (the reminder is
 * gone from there in the next request).
 */
export function mayRemindNow(profile: ModelProfile, facts: Facts): boolean {
  if (waitsForTurn(profile)) return beginsTurn(facts);
  const newest = facts.transcript.parts.findLast(({ kind }) => kind !== "marker");
  return newest !== undefined && (newest.role !== "assistant" || newest.kind === "result");
}

/** The steps that were done at the last request before this one that could have had a reminder. */
export function lastOccasion(profile: ModelProfile, { transcript }: Facts): number {
  const { lastStep, step, turnStart } = transcript;
  if (!waitsForTurn(profile)) return lastStep - 1;
  for (let turn = turnStart.length - 1; turn > 0; turn--) {
    const done = step[turnStart[turn] ?? 0] ?? 0;
    if (done < lastStep) return done;
  }
  return -1;
}

function beginsTurn({ transcript: { lastStep, lastTurn, step, turnStart } }: Facts): boolean {
  return lastTurn > 0 && step[turnStart[lastTurn] ?? 0] === lastStep;
}
