import { formatTable, type ReplayColumn, type ReplayRow, summarizeReplays } from "../../src/replay/index.ts";
import { percent } from "../../src/replay/table.ts";
import type { SessionFigures } from "./replay-session.ts";
import { totalsOf, unprunedOf } from "./session-totals.ts";
import { type MoneyRow, weighByMoney } from "./weigh-by-money.ts";

export type GroupOf = (session: SessionFigures) => string;

/** The sessions of each group, in the order of the groups' names. */
export function groupSessions(
  sessions: readonly SessionFigures[],
  groupOf: GroupOf,
): readonly (readonly [group: string, sessions: readonly SessionFigures[]])[] {
  const names = [...new Set(sessions.map(groupOf))].toSorted();
  return names.map((name) => [name, sessions.filter((session) => groupOf(session) === name)]);
}

const ALIKE: readonly ReplayColumn<ReplayRow>[] = [
  ["bill", ({ bill }) => percent(bill.mean)],
  ["worst", ({ bill }) => percent(bill.most)],
  ["worst stop", ({ worstStop }) => percent(worstStop)],
  ["with misses", ({ fetched }) => percent(fetched.mean)],
  ["missed steps", ({ misses }) => percent(misses)],
  ["evidence", ({ evidence }) => percent(evidence?.mean)],
  ["edit evidence", ({ editEvidence }) => percent(editEvidence?.mean)],
  ["worst", ({ editEvidence }) => percent(editEvidence?.least)],
  ["lost edits", ({ lostEdits }) => percent(lostEdits?.mean)],
  ["worst", ({ lostEdits }) => percent(lostEdits?.most)],
];

/** A policy, a line for each group; all sessions of a group count the same. Nothing where the policy was not run. */
export function formatGroups(
  sessions: readonly SessionFigures[],
  policy: string,
  what: string,
  groupOf: GroupOf,
): string {
  if (totalsOf(sessions, policy).length === 0) return "";
  const rows = groupSessions(sessions, groupOf).map(([name, group]) =>
    summarizeReplays(`${name} (${group.length})`, totalsOf(group, policy), unprunedOf(group)),
  );
  return formatTable([[`${what} (sessions)`, (row) => row.policy], ...ALIKE], rows);
}

const BY_MONEY: readonly ReplayColumn<MoneyRow>[] = [
  ["paid", ({ dollars }) => `$${dollars.toFixed(2)}`],
  ["bill", ({ bill }) => percent(bill)],
  ["with misses", ({ fetched }) => percent(fetched)],
  ["missed steps", ({ misses }) => percent(misses)],
  ["evidence", ({ evidence }) => percent(evidence)],
  ["edit evidence", ({ editEvidence }) => percent(editEvidence)],
  ["lost edits", ({ lostEdits }) => percent(lostEdits)],
];

/** The same with each session weighted by what was paid for it. The last line is all of them. */
export function formatGroupsByMoney(
  sessions: readonly SessionFigures[],
  policy: string,
  what: string,
  groupOf: GroupOf,
): string {
  if (totalsOf(sessions, policy).length === 0) return "";
  const rows = [...groupSessions(sessions, groupOf), ["all", sessions] as const].map(([name, group]) =>
    weighByMoney(name, totalsOf(group, policy), unprunedOf(group)),
  );
  return formatTable([[`${what} (sessions)`, ({ name, count }) => `${name} (${count})`], ...BY_MONEY], rows);
}
