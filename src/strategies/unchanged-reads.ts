import type { Strategy } from "./strategy.ts";

/**
 * A host that answers a read with "unchanged since last read" sends the agent back to an earlier result: if that was cut,
 * it comes back, whoever cut it.
 *
 *   read a.ts | 30 steps, it has shrunk | read a.ts: "unchanged"   ->  the first result whole again
 */
export const unchangedReads: Strategy = {
  name: "unchanged-reads",
  mechanism: "file",
  propose: () => [],
  needs: (step, facts) =>
    step.completed.flatMap((stub) => {
      const original = facts.rereads.originalOf(stub);
      return (original && facts.partRef(original.result)) ?? [];
    }),
};
