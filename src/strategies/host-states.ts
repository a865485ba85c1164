import { replacePart } from "./replacing/replace-part.ts";
import type { Strategy } from "./strategy.ts";

/**
 * Some hosts report the open files of the editor and the time in every message. The newest report stays. Older ones
 * go with an earlier cut that is made anyway, or when that costs nothing. A report with a section that the newest
 * does not have stays (the first often lists the files of the workspace).
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
