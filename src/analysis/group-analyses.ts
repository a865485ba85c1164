import { type Day, type DayRange, isIn, monthOf, weekOf } from "./calendar.ts";
import { addMoney, type Money } from "./money-sums.ts";
import type { ModelSpending, SessionAnalysis } from "./session-analysis.ts";

export const GROUPINGS = ["day", "week", "month", "model", "project", "agent"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface AnalysisGroup extends Money {
  /** Missing for a request without a time or a model, or a session without a project. */
  readonly name?: string;
  readonly sessions: number;
}

/**
 * Totals of sessions by day, model or another key. Times are in order, other keys by cost, the most expensive
 * first.
 */
export function groupAnalyses(
  sessions: readonly SessionAnalysis[],
  by: Grouping,
  range: DayRange = {},
): readonly AnalysisGroup[] {
  const groups = new Map<string | undefined, { money: Money[]; sessions: Set<SessionAnalysis> }>();
  for (const session of sessions)
    for (const { day, models } of session.days) {
      if (!isIn(day, range)) continue;
      for (const spending of models) {
        const name = NAMES[by](session, day, spending);
        const group = groups.get(name) ?? { money: [], sessions: new Set() };
        groups.set(name, group);
        group.money.push(spending);
        group.sessions.add(session);
      }
    }
  return [...groups]
    .map(([name, group]) => ({
      ...(name !== undefined && { name }),
      sessions: group.sessions.size,
      ...addMoney(group.money),
    }))
    .sort(isTime(by) ? byName : byMoney);
}

const NAMES: Readonly<
  Record<
    Grouping,
    (session: SessionAnalysis, day: Day | undefined, spending: ModelSpending) => string | undefined
  >
> = {
  day: (_, day) => day,
  week: (_, day) => day && weekOf(day),
  month: (_, day) => day && monthOf(day),
  model: (_, __, { model }) => model,
  project: ({ project }) => project,
  agent: ({ source }) => source,
};

function isTime(by: Grouping): boolean {
  return by === "day" || by === "week" || by === "month";
}

function byName(a: AnalysisGroup, b: AnalysisGroup): number {
  const [left, right] = [a.name ?? "", b.name ?? ""];
  return left < right ? -1 : left > right ? 1 : 0;
}

function byMoney(a: AnalysisGroup, b: AnalysisGroup): number {
  return b.dollars - a.dollars || b.sent - a.sent || byName(a, b);
}
