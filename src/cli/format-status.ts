import type { ArmsComparison } from "../analysis/compare-arms.ts";
import type { WorkComparison } from "../analysis/compare-work.ts";
import { WORK_TITLE } from "../analysis/work-rates.ts";
import { countOf, formatNumber, shortCount } from "../basics/numbers.ts";
import type { LiveSession, ProxyStatus } from "../page/dashboard-data.ts";
import type { WithAndWithout } from "../page/data.ts";
import { addUpDays, type DaySums, dayOf } from "../page/day-sums.ts";
import { addLosses, LOSS_WORDS } from "../prefix/cache-loss.ts";
import type { SessionRow } from "../stores/store.ts";
import { formatWork } from "./format-work.ts";
import type { Screen } from "./screen.ts";
import type { StoredStatus } from "./status.ts";
import { formatDollars, formatRows } from "./table.ts";

const SESSIONS_LISTED = 15;

/** @param url of the proxy that gave it; without one it is from the store */
export function formatStatus(
  found: ProxyStatus | StoredStatus,
  url: string | undefined,
  screen: Pick<Screen, "paint" | "columns">,
): string {
  const { paint } = screen;
  const today = dayOf(found.time);
  const month = found.days.filter(({ day }) => day.slice(0, 7) === today.slice(0, 7));
  const sums = [
    formatSums("today", addUpDays(month.filter(({ day }) => day === today))),
    formatSums("this month", addUpDays(month)),
  ];
  const live = "sessions" in found ? found.sessions : [];
  const known = new Set(live.map(({ id }) => id));
  const before = found.stored.filter(({ id }) => !known.has(id));
  const head =
    "version" in found
      ? `${paint.bold(`Coppice ${plain(found.version)}`)} at ${url}, up for ${formatSpan(found.time - found.startedAt)}; the dashboard is at ${url}/\n\n`
      : "";
  return [
    head,
    formatRows(["saved", "", "paid", "without Coppice", "requests", ""], sums, paint),
    found.comparison ? formatComparison(found.comparison) : "",
    found.work ? listWork(found.work, screen) : "",
    "version" in found ? listLive(live, found.time, paint) : "",
    listLosses(live, paint),
    listStored(before, found.time, paint),
  ].join("");
}

function formatSums(name: string, { requests, dollars, tokens }: DaySums): readonly string[] {
  const cells = dollars
    ? [...formatSaved(dollars), money(dollars.with), money(dollars.without)]
    : [`${shortCount(tokens.without - tokens.with)} tokens`, "", "no price", "no price"];
  return [...cells, String(requests), name];
}

/** What was measured, beside what is modelled. */
function formatComparison({ pruned, heldOut, saved, missing }: ArmsComparison): string {
  const arms = `${countOf(pruned.conversations, "conversation")} pruned, ${formatNumber(heldOut.conversations)} held out`;
  if (!saved)
    return `\nMeasured: ${arms}; too early to tell${missing > 0 ? `, ${formatNumber(missing)} more needed` : ""}.\n`;
  const percent = (share: number): string => `${Math.round(100 * share)}%`;
  const { mean, low, high } = saved.share;
  return `\nMeasured: ${percent(mean)} saved a request, between ${percent(low)} and ${percent(high)} (${arms}).\n`;
}

/** Whether pruning hurts the agents, as far as their work shows it. */
function listWork(work: WorkComparison, screen: Pick<Screen, "paint" | "columns">): string {
  const body = formatWork(work, screen);
  return body === "" ? "" : `\n${screen.paint.bold(WORK_TITLE)}\n${body}`;
}

function listLive(sessions: readonly LiveSession[], now: number, paint: Screen["paint"]): string {
  if (sessions.length === 0) return "\nNo session has passed through this proxy yet.\n";
  const rows = sessions.slice(0, SESSIONS_LISTED).map((session) => {
    const { dollars, requests, pruned, raw, lastAt, underWay } = session;
    return [
      ...(dollars ? formatSaved(dollars) : ["no price", ""]),
      String(requests),
      shortCount(pruned),
      shortCount(raw),
      underWay > 0 ? "under way" : formatAgo(now - lastAt),
      describe(session),
    ];
  });
  const titles = ["saved", "", "requests", "context", "without", "last", ""];
  return `\n${paint.bold("Sessions in the proxy")}\n${formatRows(titles, rows, paint)}${sayMore(sessions)}`;
}

/** Why providers' caches were lost, in the sessions of this proxy. */
function listLosses(sessions: readonly LiveSession[], paint: Screen["paint"]): string {
  const sums = addLosses(
    [],
    sessions.flatMap(({ losses = [] }) => losses),
  );
  if (sums.length === 0) return "";
  const rows = sums.map(({ cause, count, tokens, dollars }) => [
    money(dollars),
    shortCount(tokens),
    String(count),
    LOSS_WORDS[cause],
  ]);
  return `\n${paint.bold("Why the cache was lost")}\n${formatRows(["cost more", "tokens", "times", ""], rows, paint)}`;
}

function listStored(sessions: readonly SessionRow[], now: number, paint: Screen["paint"]): string {
  if (sessions.length === 0) return "";
  const rows = sessions.slice(0, SESSIONS_LISTED).map((session) => {
    const { costWith, costWithout, requests, lastAt } = session;
    const isPriced = costWith !== undefined && costWithout !== undefined;
    return [
      ...(isPriced ? formatSaved({ with: costWith, without: costWithout }) : ["no price", ""]),
      String(requests),
      formatAgo(now - lastAt),
      describe(session),
    ];
  });
  const titles = ["saved", "", "requests", "last", ""];
  return `\n${paint.bold("Sessions before")}\n${formatRows(titles, rows, paint)}${sayMore(sessions)}`;
}

function sayMore(sessions: readonly unknown[]): string {
  const more = sessions.length - SESSIONS_LISTED;
  return more > 0 ? `  and ${countOf(more, "other")}\n` : "";
}

/** `claude-code in shop, claude-sonnet-4-5` */
function describe({
  client,
  folder,
  model,
  id,
}: Pick<SessionRow, "client" | "folder" | "model" | "id">): string {
  const who = folder === undefined ? client : `${client ?? "unknown client"} in ${folder}`;
  return plain([who ?? id, model].filter((name) => name !== undefined).join(", "));
}

function formatSaved({ with: paid, without }: WithAndWithout): readonly [string, string] {
  return [money(without - paid), without > 0 ? `${((100 * (without - paid)) / without).toFixed(1)}%` : ""];
}

/** Less than nothing where cuts have not paid for themselves yet. */
function money(dollars: number): string {
  return dollars < 0 ? `-${formatDollars(-dollars)}` : formatDollars(dollars);
}

function formatAgo(milliseconds: number): string {
  return milliseconds < 60_000 ? "now" : `${formatSpan(milliseconds)} ago`;
}

function formatSpan(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return minutes < 2_880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`;
}

const LONGEST_NAME = 100;

/** Names come from clients, and a terminal obeys what it is shown. */
function plain(text: string): string {
  return text.replace(/\p{C}/gu, "\uFFFD").slice(0, LONGEST_NAME);
}
