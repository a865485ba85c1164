import type { Fold } from "../fold.ts";
import type { Policy } from "../policy.ts";
import { measurePressure } from "../schedule/pressure.ts";
import { type AdvanceView, makeAgentView } from "./agent-view.ts";
import { listPrunable } from "./prunable.ts";
import type { Situation } from "./reminder.ts";
import { describePart } from "./subject.ts";

/** What a reminder has to know of a request, worked out only where one is due. */
export function describeSituation(fold: Fold, policy: Policy, at: AdvanceView): Situation {
  const mayPrune = policy.agent.actions.length > 0;
  const describe = (ref: string, part: number, tokens: number) => ({
    ref,
    // Of many only a few are shown.
    get label() {
      return describePart(fold.facts, part);
    },
    tokens,
  });
  return {
    profile: at.boundary.profile,
    pressure: measurePressure(at.used, at.window),
    listPrunable() {
      if (!mayPrune) return [];
      const listed = listPrunable(makeAgentView(fold, policy, at));
      return listed.map(({ ref, part, tokens }) => describe(ref, part, tokens));
    },
    listStale() {
      if (!mayPrune) return [];
      return fold.scheduler.waiting.map(({ ref, at: part, saves }) => describe(ref, part, saves));
    },
  };
}
