import type { Facts } from "../facts/facts.ts";
import type { ModelProfile } from "../models/profile.ts";

/** Does this model accept a reminder only directly after a user message? */
function waitsForTurn({ reasoning, userAfterResult }: ModelProfile): boolean {
  return !userAfterResult || reasoning === "signed";
}

/**
 * May a reminder be added at the end of this request? Never after the beginning of an answer, and not with a slash
 * command, which the model should answer with one word. Inside a tool loop, not if reasoning is signed (a user text
 * there makes the provider drop it), nor if the provider accepts no user text directly after a result. Never if
 * reasoning is bound to the text before it: the answer would be bound to the reminder, which the next request
 * lacks.
 */
export function mayRemindNow(profile: ModelProfile, facts: Facts): boolean {
  if (profile.reasoning === "bound") return false;
  if (isCommand(facts, facts.transcript.lastStep)) return false;
  const newest = facts.transcript.parts.findLast(({ kind }) => kind !== "marker");
  const isResult = newest?.kind === "result";
  if (isResult && !profile.userAfterResult) return false;
  if (waitsForTurn(profile)) return beginsTurn(facts);
  return newest !== undefined && (newest.role !== "assistant" || isResult);
}

/** The number of steps at the last earlier request that could have had a reminder; −1: there was none. */
export function lastOccasion(profile: ModelProfile, facts: Facts): number {
  const { lastStep, step, turnStart } = facts.transcript;
  if (!waitsForTurn(profile)) {
    let done = lastStep - 1;
    while (done >= 0 && isCommand(facts, done)) done--;
    return done;
  }
  for (let turn = turnStart.length - 1; turn > 0; turn--) {
    const done = step[turnStart[turn] ?? 0] ?? 0;
    if (done < lastStep && !isCommand(facts, done)) return done;
  }
  return -1;
}

/** Was the request after this many steps made for one of our slash commands? */
function isCommand({ transcript }: Facts, step: number): boolean {
  const [from, to] = transcript.stepRange(step);
  for (let i = from; i < to; i++) {
    const part = transcript.part(i);
    if (part.kind === "marker" && part.command) return true;
  }
  return false;
}

function beginsTurn({ transcript: { lastStep, lastTurn, step, turnStart } }: Facts): boolean {
  return lastTurn > 0 && step[turnStart[lastTurn] ?? 0] === lastStep;
}
