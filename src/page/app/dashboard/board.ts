import type { ArmsComparison } from "../../../analysis/compare-arms.ts";
import type { WorkComparison } from "../../../analysis/compare-work.ts";
import type { DayRow, SessionRow } from "../../../stores/store.ts";
import type { Changes, LiveSession, Snapshot, Trend } from "../../dashboard-data.ts";

/** The dashboard's data: the snapshot, with all changes since. */
export interface Board {
  readonly version: string;
  readonly startedAt: number;
  /** How far the proxy's clock is ahead of the reader's, in milliseconds. */
  readonly ahead: number;
  readonly live: ReadonlyMap<string, BoardSession>;
  readonly stored: ReadonlyMap<string, SessionRow>;
  readonly days: ReadonlyMap<string, DayRow>;
  readonly comparison?: ArmsComparison;
  readonly work?: WorkComparison;
}

export interface BoardSession extends LiveSession {
  /** Of the newest requests, up to number `requests`. */
  readonly trend: Trend;
}

const TREND_LENGTH = 32;

export function takeSnapshot(snapshot: Snapshot, now: number): Board {
  return {
    version: snapshot.version,
    startedAt: snapshot.startedAt,
    ahead: snapshot.time - now,
    live: new Map(snapshot.sessions.map((session) => [session.id, session])),
    stored: new Map(snapshot.stored.map((row) => [row.id, row])),
    days: new Map(snapshot.days.map((row) => [row.day, row])),
    ...(snapshot.comparison && { comparison: snapshot.comparison }),
    ...(snapshot.work && { work: snapshot.work }),
  };
}

export function applyChanges(board: Board, changes: Changes, now: number): Board {
  const { sessions = [], gone = [], stored = [], days = [], comparison, work } = changes;
  const live = new Map(board.live);
  for (const id of gone) live.delete(id);
  for (const { changed, ...session } of sessions)
    live.set(session.id, { ...session, trend: continueTrend(board.live.get(session.id), session, changed) });
  return {
    ...board,
    ahead: changes.time - now,
    live,
    stored: stored.length === 0 ? board.stored : withRows(board.stored, stored, ({ id }) => id),
    days: days.length === 0 ? board.days : withRows(board.days, days, ({ day }) => day),
    ...(comparison && { comparison }),
    ...(work && { work }),
  };
}

function continueTrend(
  known: BoardSession | undefined,
  session: LiveSession,
  changed: NonNullable<Changes["sessions"]>[number]["changed"],
): Trend {
  const trend = [...(known?.trend ?? [])];
  const first = (known?.requests ?? 0) - trend.length + 1;
  for (const { number, raw, pruned } of changed)
    if (number >= first && number <= session.requests) trend[number - first] = [raw, pruned];
  // Requests that were never reported leave no gap.
  return trend.filter((point) => point !== undefined).slice(-TREND_LENGTH);
}

function withRows<T>(
  rows: ReadonlyMap<string, T>,
  changed: readonly T[],
  keyOf: (row: T) => string,
): ReadonlyMap<string, T> {
  const next = new Map(rows);
  for (const row of changed) next.set(keyOf(row), row);
  return next;
}
