import { remember } from "../basics/remember.ts";
import type { View } from "../edits/view.ts";
import { measurePressure } from "../schedule/pressure.ts";
import { type AgentPolicy, type AgentSession, makeAgentView, type RequestState } from "./agent-view.ts";
import { findWaiting, listPrunable } from "./prunable.ts";
import { PrunableIndex } from "./prunable-index.ts";
import { chooseLargest, type Largest, type PrunableItem, type Situation } from "./reminder.ts";
import { describePart } from "./subject.ts";

/** The state of a request that a reminder needs. */
export function describeSituation(session: AgentSession, policy: AgentPolicy, at: RequestState): Situation {
  const mayPrune = policy.agent.actions.length > 0;
  const describe = (ref: string, part: number, tokens: number): PrunableItem => ({
    ref,
    // A getter, because only a few of many are shown.
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
      return session.scheduler.waiting.map(({ part, price }) => describe(price.ref, part, price.saves));
    },
    listLargest(most): Largest {
      if (!mayPrune) return { items: [], count: 0 };
      const view = makeAgentView(session, policy, at);
      const index = indexOf(session.view);
      index.update(view);
      const { waiting } = view;
      const without = new Set<number>();
      for (const { part, price } of waiting)
        if (index.get(part)?.ref === price.ref || (index.get(part) && findWaiting(view, part)))
          without.add(part);
      const stale = chooseLargest(waiting, most, ({ price }) => price.saves);
      const others = index.largest(most, without);
      const items = [
        ...stale.map(({ part, price }) => ({ item: describe(price.ref, part, price.saves), isStale: true })),
        ...others.map(({ ref, part, tokens }) => ({ item: describe(ref, part, tokens), isStale: false })),
      ];
      return {
        items: chooseLargest(items, most, ({ item }) => item.tokens),
        count: waiting.length + index.size - without.size,
      };
    },
  };
}

/** One per session, because its requests are processed in order. */
const indexOf = remember((_: View) => new PrunableIndex());
