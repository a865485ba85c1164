import { replacePart } from "./replacing/replace-part.ts";
import type { Strategy } from "./strategy.ts";

/**
 * Some hosts say in every message what is open in the editor, and what time it is. The newest stays. The others go with
 * a cut that is made before them anyway, or where that costs nothing. One with a section that the newest does not have
 * stays (the first often lists the files of the workspace).
 *
 *   result, tabs and time | result, tabs and time   ->   result, [superseded: newer state] | result, tabs and time
 */
export const hostStates: Strategy = {
  name: "host-states",
  mechanism: "reminder",
  propose: (step, facts) =>
    step.replacedStates.flatMap((part) => {
      const reason = "newer state";
      const plan = replacePart(facts, part, (ref) => `[superseded: ${reason} · ${ref}]`, { reason });
      return plan ? [{ ...plan, rides: true }] : [];
    }),
};
