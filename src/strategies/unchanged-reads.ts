import type { Strategy } from "./strategy.ts";

/**
 * If a host answers a read with "unchanged since last read", it refers the agent to an earlier result. If that was
 * cut, the cut is undone, whoever made it.
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
