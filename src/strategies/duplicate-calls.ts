import { replacePart } from "./replace-part.ts";
import type { Strategy } from "./strategy.ts";

/**
 * Keeps only the newest of equal calls: same tool, deeply equal input.
 *
 *   read {path: a} | read {path: a}          ->  first result replaced
 *   read {path: a} | read {path: a} failed   ->  nothing: a failure says less than what it repeats
 */
export const duplicateCalls: Strategy = {
  name: "duplicate-calls",
  propose(step, facts) {
    return step.completed.flatMap((fact) =>
      facts.sameCalls.supersededBy(fact).flatMap((stale) => {
        const reason = `the same ${fact.use.name} call was made again`;
        return (
          replacePart(facts, stale.result, (ref) => `[superseded: ${reason} · ${ref}]`, { reason }) ?? []
        );
      }),
    );
  },
};
