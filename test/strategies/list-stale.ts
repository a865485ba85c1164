import type { SupersedeOptions } from "../../src/strategies/replacing/supersede.ts";
import type { Strategy } from "../../src/strategies/strategy.ts";
import { play, type Use } from "../play.ts";

export type Steps = readonly (readonly Use[])[];

/** The calls that a pass makes stale over a whole session, in its order: `c0: newer git status`. */
export function listStale(strategy: Strategy<SupersedeOptions>, steps: Steps): readonly string[] {
  const stale = new Set<string>();
  play(steps, (delta, facts) => {
    for (const proposal of strategy.propose(delta, facts, { pruneToolInputs: false })) {
      if ("drop" in proposal) throw new Error("something was to be dropped");
      const { part, reason } = proposal;
      const result = facts.transcript.part(part);
      if (result.kind !== "result") throw new Error(`a ${result.kind} was to go`);
      stale.add(`${result.callId}: ${reason}`);
    }
  });
  return [...stale];
}
