import {
  type AgentPolicy,
  type AgentSession,
  makeAgentView,
  type RequestState,
} from "../agent/agent-view.ts";
import { listPrunable } from "../agent/prunable.ts";
import { describePart } from "../agent/subject.ts";
import { measurePressure } from "../schedule/pressure.ts";
import type { Situation } from "./reminder.ts";

/** What a reminder has to know of a request. */
export function describeSituation(session: AgentSession, policy: AgentPolicy, at: RequestState): Situation {
  const mayPrune = policy.agent.actions.length > 0;
  const describe = (ref: string, part: number, tokens: number) => ({
    ref,
    // A getter, as only a few of many are shown.
    get label() {
      return describePart(session.facts, part);
    },
    tokens,
  });
  return {
    profile: at.profile,
    pressure: measurePressure(at.used, at.window),
    listPrunable() {
      if (!mayPrune) return [];
      const listed = listPrunable(makeAgentView(session, policy, at));
      return listed.map(({ ref, part, tokens }) => describe(ref, part, tokens));
    },
    listStale() {
      if (!mayPrune) return [];
      return session.scheduler.waiting.map(({ ref, at: part, saves }) => describe(ref, part, saves));
    },
  };
}
