import type { ArmsComparison } from "../analysis/compare-arms.ts";
import type { WorkComparison } from "../analysis/compare-work.ts";
import { WORK_TITLE } from "../analysis/work-rates.ts";
import { countOf, formatDollars, formatNumber, shortCount } from "../basics/numbers.ts";
import type { LiveSession, ProxyStatus } from "../page/dashboard-data.ts";
import type { WithAndWithout } from "../page/data.ts";
import { addUpDays, type DaySums, dayOf } from "../page/day-sums.ts";
import { addLosses, LOSS_WORDS } from "../prefix/cache-loss.ts";
import type { SessionRow } from "../stores/store.ts";
import { formatWork } from "./format-work.ts";
import type { Screen } from "./screen.ts";
import type { StoredStatus } from "./status.ts";
import { type Column, formatTable, wrap } from "./table.ts";

type Terminal = Pick<Screen, "paint" | "columns">;

const SESSIONS_LISTED = 15;
const SHORTEST_NAME = 10;

/** @param url the proxy's; missing if the data is from the store */
export function formatStatus(
  found: ProxyStatus | StoredStatus,
  url: string | undefined,
  screen: Terminal,
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
      ? `${paint.bold(`Coppice ${plain(found.version)}`)} at ${url}, up for ${formatSpan(found.time - found.startedAt)}; the dashboard is at ${url}/`
      : undefined;
  return [
    head === undefined ? "" : `${wrap(head, screen.columns, 0)}\n`,
    listRows(["saved", "", "paid", "without Coppice", "requests", ""], sums, screen),
    found.comparison ? `\n${wrap(formatComparison(found.comparison), screen.columns, 0)}` : "",
    found.work ? listWork(found.work, screen) : "",
    "version" in found ? listLive(live, found.time, screen) : "",
    listLosses(live, screen),
    listStored(before, found.time, screen),
  ].join("");
}

function formatSums(name: string, { requests, dollars, tokens }: DaySums): readonly string[] {
  const cells = dollars
    ? [...formatSaved(dollars), money(dollars.with), money(dollars.without)]
    : [`${shortCount(tokens.without - tokens.with)} tokens`, "", "no price", "no price"];
  return [...cells, String(requests), name];
}

/** The measured savings, next to the modelled ones. */
function formatComparison({ pruned, heldOut, saved, missing }: ArmsComparison): string {
  const arms = `${countOf(pruned.conversations, "conversation")} pruned, ${formatNumber(heldOut.conversations)} held out`;
  if (!saved)
    return `Measured: ${arms}; too early to tell${missing > 0 ? `, ${formatNumber(missing)} more needed` : ""}.`;
  const percent = (share: number): string => `${Math.round(100 * share)}%`;
  const { mean, low, high } = saved.share;
  return `Measured: ${percent(mean)} saved a request, between ${percent(low)} and ${percent(high)} (${arms}).`;
}

/** Whether pruning hurts the agents, as far as their work shows it. */
function listWork(work: WorkComparison, screen: Terminal): string {
  const body = formatWork(work, screen);
  return body === "" ? "" : `\n${screen.paint.bold(WORK_TITLE)}\n${body}`;
}

function listLive(sessions: readonly LiveSession[], now: number, screen: Terminal): string {
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
  return `\n${screen.paint.bold("Sessions in the proxy")}\n${listRows(titles, rows, screen)}${sayMore(sessions)}`;
}

/** Why providers' caches were lost, in the sessions of this proxy. */
function listLosses(sessions: readonly LiveSession[], screen: Terminal): string {
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
  return `\n${screen.paint.bold("Why the cache was lost")}\n${listRows(["cost more", "tokens", "times", ""], rows, screen)}`;
}

function listStored(sessions: readonly SessionRow[], now: number, screen: Terminal): string {
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
  return `\n${screen.paint.bold("Sessions before")}\n${listRows(titles, rows, screen)}${sayMore(sessions)}`;
}

/** Figures, and at the end a text, which is cut where a line would be longer than the terminal is wide. */
function listRows(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, paint }: Terminal,
): string {
  const described = titles.map((title, i): Column => {
    const isText = i === titles.length - 1;
    return isText ? { title, align: "left", atLeast: SHORTEST_NAME } : { title, align: "right" };
  });
  return formatTable(described, rows, { width: columns, paint });
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

/** Negative if cuts have not paid for themselves yet. */
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

/** Names come from clients, and a terminal obeys control characters. */
function plain(text: string): string {
  return text.replace(/\p{C}/gu, "\uFFFD").slice(0, LONGEST_NAME);
}
