import type { SessionRow } from "../../../stores/store.ts";
import type { WithAndWithout } from "../../data.ts";
import type { Board, BoardSession } from "./board.ts";

/** A session in the list: in the proxy's memory, in the store, or both. */
export interface SessionListRow {
  readonly id: string;
  readonly live?: BoardSession;
  readonly stored?: SessionRow;
  readonly isNow: boolean;
  /** It is listed under the session that started it. */
  readonly isUnder: boolean;
}

export interface RowFilter {
  readonly show: "all" | "now" | "before";
  readonly query: string;
}

/** A session whose last request is older than this is an earlier one, in milliseconds. */
const RECENT = 30 * 60_000;

/**
 * Current sessions, the newest first, each with those that it started; then earlier ones, the last used first. Rows
 * of current sessions keep their places while requests come in.
 */
export function listRows(board: Board, now: number): readonly SessionListRow[] {
  const ids = new Set([...board.live.keys(), ...board.stored.keys()]);
  const all = [...ids].map((id): SessionListRow => {
    const live = board.live.get(id);
    const stored = board.stored.get(id);
    const isNow = live !== undefined && (live.underWay > 0 || now + board.ahead - live.lastAt < RECENT);
    return { id, ...(live && { live }), ...(stored && { stored }), isNow, isUnder: false };
  });
  const current = all.filter(({ isNow }) => isNow).sort((a, b) => startOf(b) - startOf(a) || byId(a, b));
  const before = all.filter(({ isNow }) => !isNow).sort((a, b) => lastOf(b) - lastOf(a) || byId(a, b));
  return [...putUnder(current), ...before];
}

export function filterRows(
  rows: readonly SessionListRow[],
  { show, query }: RowFilter,
): readonly SessionListRow[] {
  const words = query.trim().toLowerCase();
  return rows.filter((row) => {
    if (show !== "all" && row.isNow !== (show === "now")) return false;
    const { client, model, folder } = namesOf(row);
    return (
      words === "" || [row.id, client, model, folder].some((name) => name?.toLowerCase().includes(words))
    );
  });
}

export function namesOf({ live, stored }: SessionListRow): Pick<SessionRow, "client" | "model" | "folder"> {
  const { client, model, folder } = { ...stored, ...live };
  return {
    ...(client !== undefined && { client }),
    ...(model !== undefined && { model }),
    ...(folder !== undefined && { folder }),
  };
}

/** Since its beginning, if the store has it: the proxy knows only the requests that it has seen. */
export function dollarsOf({ live, stored }: SessionListRow): WithAndWithout | undefined {
  if (stored?.costWith !== undefined && stored.costWithout !== undefined)
    return { with: stored.costWith, without: stored.costWithout };
  return live?.dollars;
}

/** Includes the client's own requests, which are billed too. */
export function requestsOf({ live, stored }: SessionListRow): number {
  return Math.max(stored?.requests ?? 0, live ? live.requests + live.questions : 0);
}

export function lastOf({ live, stored }: SessionListRow): number {
  return live?.lastAt ?? stored?.lastAt ?? 0;
}

function startOf({ live, stored }: SessionListRow): number {
  return live?.startedAt ?? stored?.startedAt ?? 0;
}

function byId(a: SessionListRow, b: SessionListRow): number {
  return a.id < b.id ? -1 : 1;
}

/**
 * Each after the one that started it, if that is in the list. Clients choose the ids, so even circles are listed
 * once.
 */
function putUnder(rows: readonly SessionListRow[]): readonly SessionListRow[] {
  const started = new Map<string, SessionListRow[]>();
  for (const row of rows) {
    const parent = row.live?.parent;
    if (parent === undefined || parent === row.id) continue;
    const others = started.get(parent);
    if (others) others.push(row);
    else started.set(parent, [row]);
  }
  const ids = new Set(rows.map(({ id }) => id));
  const listed = new Map<string, SessionListRow>();
  const list = (row: SessionListRow, isUnder: boolean): void => {
    if (listed.has(row.id)) return;
    listed.set(row.id, { ...row, isUnder });
    for (const each of started.get(row.id) ?? []) list(each, true);
  };
  for (const row of rows) if (!ids.has(row.live?.parent ?? "")) list(row, false);
  for (const row of rows) list(row, false);
  return [...listed.values()];
}
