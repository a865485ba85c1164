import type { Fold } from "../fold.ts";
import type { Policy } from "../policy.ts";
import { measurePressure } from "../schedule/pressure.ts";
import { type AdvanceView, makeAgentView } from "./agent-view.ts";
import { listPrunable } from "./prunable.ts";
import type { Situation } from "./reminder.ts";
import { describePart } from "./subject.ts";

/** What a reminder has to know of a request, worked out only where one is due. */
export function describeSituation(fold: Fold, policy: Policy, at: AdvanceView): Situation {
  return {
    profile: at.boundary.profile,
    pressure: measurePressure(at.used, at.window),
    listPrunable: () =>
      listPrunable(makeAgentView(fold, policy, at)).map(({ ref, part, tokens }) => ({
        ref,
        label: describePart(fold.facts, part),
        tokens,
      })),
    listStale: () =>
      fold.scheduler.waiting.map(({ ref, at: part, saves }) => ({
        ref,
        label: describePart(fold.facts, part),
        tokens: saves,
      })),
  };
}
