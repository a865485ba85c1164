import { homedir } from "node:os";
import { addDays, type Day, daysIn, monthOf } from "../analysis/calendar.ts";
import type { AnalysisGroup, Grouping } from "../analysis/group-analyses.ts";
import type { Money } from "../analysis/money-sums.ts";
import type { Spending } from "../analysis/session-analysis.ts";
import type { Analysis, FileReread, SessionSum } from "../analysis/sum-analyses.ts";
import { WORK_TITLE } from "../analysis/work-rates.ts";
import { countOf, formatDollars, formatNumber, shortCount } from "../basics/numbers.ts";
import { nameFolder } from "../page/name-folder.ts";
import { percent } from "../replay/table.ts";
import { formatCaches } from "./format-caches.ts";
import { formatWork } from "./format-work.ts";
import { sayPrefix } from "./say-prefix.ts";
import type { Screen } from "./screen.ts";
import { type Column, clipStart, drawBar, formatTable, wrap } from "./table.ts";

/** Options for showing an analysis. */
export interface AnalysisView {
  /** The time zone of the days. */
  readonly zone: string;
  readonly today: Day;
  /** The number of rows in each list. */
  readonly top: number;
  /** If requested: then only this and the totals are shown. */
  readonly by?: Grouping;
  readonly groups: readonly AnalysisGroup[];
  readonly months: readonly AnalysisGroup[];
}

type Canvas = Pick<Screen, "columns" | "isTerminal" | "paint">;

/** The analysis as text: totals, days, where the money went, what was avoidable, and the sessions. */
export function formatAnalysis(analysis: Analysis, view: AnalysisView, canvas: Canvas): string {
  const { paint, columns } = canvas;
  const section = (title: string, body: string): string =>
    body === "" ? "" : `\n${paint.bold(title)}\n${body}`;
  const { by, groups, top, zone } = view;
  const head = [formatSums(analysis, view, canvas), formatMonth(view, paint, columns)];
  const inZone = isTime(by ?? "day") ? `, in the time zone ${zone}` : "";
  const shown = by ? groups : groups.slice(-DAYS_SHOWN);
  const grouped = section(
    `By ${by ?? "day"}${inZone}`,
    formatGroups(shown, by ?? "day", canvas) + sayEarlier(groups.length - shown.length, columns),
  );
  const parts = by
    ? [grouped]
    : [
        groups.some(({ name }) => name !== undefined) ? grouped : "",
        section(
          "Where the money went, by tool",
          formatSpending(analysis.tools, "tool", analysis, top, canvas),
        ),
        section("By kind of text", formatSpending(analysis.kinds, "kind", analysis, top, canvas)),
        section("Stale text and cold caches", formatWaste(analysis, columns)),
        section("Why the cache was lost", formatCaches(analysis.caches, analysis.dollars, canvas)),
        section(
          "Files that were read again",
          formatRereads(analysis.rereads.slice(0, REREADS_SHOWN), canvas),
        ),
        section(WORK_TITLE, formatWork(analysis.work, canvas)),
        section("What each preset would have saved", formatPresets(analysis, canvas)),
        section(
          `Sessions, ${analysis.avoidable > 0 ? "the most avoidable" : "the most expensive"} first`,
          formatSessions(analysis.sessions.slice(0, top), zone, canvas),
        ),
        analysis.sessions.length > top
          ? wrap(
              `${countOf(analysis.sessions.length - top, "more session")}: --top ${analysis.sessions.length}`,
              columns,
            )
          : "",
      ];
  return [...head, ...parts, formatNotes(analysis, paint, columns)].join("");
}

const DAYS_SHOWN = 7;
const REREADS_SHOWN = 5;
const BAR = 16;
const LONGEST_PATH = 60;

function formatSums(analysis: Analysis, { zone }: AnalysisView, { paint, columns }: Canvas): string {
  const { sessions, sources, requests, sent, written, range, prefix } = analysis;
  const agents = Object.entries(sources).map(([source, count]) => `${source} ${formatNumber(count)}`);
  const dayOf = daysIn(zone);
  const times = sessions.flatMap(({ start, end }) => [start ?? [], end ?? []].flat());
  const [first, last] = [
    range.since ?? dayOf(times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY)),
    range.until ?? dayOf(times.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY)),
  ];
  const span = first && last ? (first === last ? `, ${first}` : `, ${first} to ${last}`) : "";
  const money =
    analysis.dollars > 0
      ? `${paint.bold(showMoney(analysis))} paid, ${paint.yellow(formatDollars(analysis.avoidable))} of it avoidable (${percent(analysis.avoidable / analysis.dollars)})`
      : "no prices known";
  const prefixText = sayPrefix(prefix);
  const counts = `${countOf(requests, "request")}, ${shortCount(sent)} tokens sent, ${shortCount(written)} written`;
  return [
    wrap(`${countOf(sessions.length, "session")}${span} (${agents.join(", ")})`, columns, 0),
    `${money}\n`,
    wrap(counts, columns, 0),
    prefixText === "" ? "" : wrap(prefixText, columns, 0),
  ].join("");
}

/** `This month $412.00, $96.10 of it avoidable; last month $380.20.` */
function formatMonth({ months, today }: AnalysisView, paint: Canvas["paint"], columns: number): string {
  const month = monthOf(today);
  const before = monthOf(addDays(`${month}-01`, -1));
  const find = (name: string): AnalysisGroup | undefined => months.find((each) => each.name === name);
  const [now, last] = [find(month), find(before)];
  if (!now || now.dollars === 0) return "";
  const rest = last && last.dollars > 0 ? `; last month ${showMoney(last)}` : "";
  const line = `This month ${showMoney(now)}, ${formatDollars(now.avoidable)} of it avoidable${rest}.`;
  return paint.green(wrap(line, columns, 0));
}

function formatGroups(groups: readonly AnalysisGroup[], by: Grouping, canvas: Canvas): string {
  const most = groups.reduce((least, { dollars }) => Math.max(least, dollars), 0);
  const isText = !isTime(by);
  const columns: readonly Column[] = [
    { title: by, align: "left", ...(isText && { atLeast: 16 }) },
    { title: "sessions", align: "right", spare: 3 },
    { title: "requests", align: "right", spare: 2 },
    { title: "tokens sent", align: "right", spare: 4 },
    { title: "money", align: "right" },
    { title: "avoidable", align: "right", paint: canvas.paint.yellow },
    ...(canvas.isTerminal
      ? [{ title: "", align: "left", spare: 1, paint: canvas.paint.green } as const]
      : []),
  ];
  const rows = groups.map((group) => [
    nameGroup(group, by),
    formatNumber(group.sessions),
    formatNumber(group.requests),
    shortCount(group.sent),
    showMoney(group),
    showAvoidable(group),
    ...(canvas.isTerminal ? [drawBar(most === 0 ? 0 : group.dollars / most, BAR)] : []),
  ]);
  return formatTable(columns, rows, { width: canvas.columns, paint: canvas.paint });
}

function sayEarlier(days: number, columns: number): string {
  return days > 0 ? wrap(`${countOf(days, "earlier day")} not shown: --by day`, columns) : "";
}

function nameGroup({ name }: AnalysisGroup, by: Grouping): string {
  if (name === undefined) return isTime(by) ? "(no time recorded)" : `(no ${by} recorded)`;
  return plain(by === "project" ? shortenHome(name) : name);
}

function isTime(by: Grouping): boolean {
  return by === "day" || by === "week" || by === "month";
}

function formatSpending(
  rows: readonly Spending[],
  title: string,
  { dollars, sent }: Analysis,
  top: number,
  canvas: Canvas,
): string {
  const isPriced = dollars > 0;
  const share = (row: Spending): number =>
    isPriced ? row.dollars / dollars : sent === 0 ? 0 : row.tokens / sent;
  const columns: readonly Column[] = [
    ...(isPriced ? [{ title: "money", align: "right" } as const] : []),
    { title: "share", align: "right" },
    { title: "tokens sent", align: "right", spare: 2 },
    { title, align: "left", atLeast: 20 },
    ...(canvas.isTerminal
      ? [{ title: "", align: "left", spare: 1, paint: canvas.paint.green } as const]
      : []),
  ];
  const cells = rows
    .slice(0, top)
    .map((row) => [
      ...(isPriced ? [formatDollars(row.dollars)] : []),
      percent(share(row)),
      shortCount(row.tokens),
      plain(row.name),
      ...(canvas.isTerminal ? [drawBar(share(row), BAR)] : []),
    ]);
  return formatTable(columns, cells, { width: canvas.columns, paint: canvas.paint });
}

function formatWaste({ stale, coldStarts, sent, dollars }: Analysis, columns: number): string {
  const money = (part: number): string =>
    dollars > 0 ? `: ${formatDollars(part)}, ${percent(part / dollars)} of the bill` : "";
  return [
    `${percent(sent === 0 ? 0 : stale.tokens / sent)} of the tokens sent were stale: something newer had replaced them${money(stale.dollars)}`,
    `${countOf(coldStarts.count, "time")} the cache was cold, and ${shortCount(coldStarts.tokens)} tokens were written to it again${money(coldStarts.dollars)}`,
  ]
    .map((line) => wrap(line, columns))
    .join("");
}

function formatRereads(rereads: readonly FileReread[], canvas: Canvas): string {
  if (rereads.length === 0) return "";
  const rows = rereads.map(({ file, project, times, tokens, sessions }) => [
    formatNumber(times),
    shortCount(tokens),
    formatNumber(sessions),
    project === undefined ? "" : plain(nameFolder(project)),
    clipStart(plain(shortenHome(file)), Math.max(24, canvas.columns - 60)),
  ]);
  return formatTable(
    [
      { title: "again", align: "right" },
      { title: "tokens", align: "right" },
      { title: "sessions", align: "right", spare: 2 },
      { title: "project", align: "left", atLeast: 10, spare: 1 },
      { title: "file", align: "left", atLeast: 20 },
    ],
    rows,
    { width: canvas.columns, paint: canvas.paint },
  );
}

function formatPresets({ presets, dollars }: Analysis, canvas: Canvas): string {
  if (dollars === 0) return "";
  return formatTable(
    [
      { title: "saved", align: "right" },
      { title: "of the bill", align: "right" },
      { title: "preset", align: "left" },
    ],
    presets.map(({ saved, share, preset }) => [formatDollars(saved), percent(share), preset]),
    { width: canvas.columns, paint: canvas.paint },
  );
}

function formatSessions(sessions: readonly SessionSum[], zone: string, canvas: Canvas): string {
  const dayOf = daysIn(zone);
  const rows = sessions.map((session) => {
    const { start, project, models, requests, prompt, path } = session;
    return [
      showAvoidable(session),
      showMoney(session),
      (start === undefined ? undefined : dayOf(start)) ?? "",
      project === undefined ? "" : plain(nameFolder(project)),
      plain(nameModels(models)),
      formatNumber(requests),
      plain(prompt ?? clipStart(shortenHome(path), 40)),
      clipStart(plain(shortenHome(path)), LONGEST_PATH),
    ];
  });
  return formatTable(
    [
      { title: "avoidable", align: "right", paint: canvas.paint.yellow },
      { title: "money", align: "right" },
      { title: "date", align: "left", spare: 1 },
      { title: "project", align: "left", atLeast: 10, spare: 2 },
      { title: "model", align: "left", atLeast: 10, spare: 4 },
      { title: "requests", align: "right", spare: 3 },
      { title: "first prompt", align: "left", atLeast: 20 },
      { title: "file", align: "left", atLeast: 60, spare: 5, paint: canvas.paint.dim },
    ],
    rows,
    { width: canvas.columns, paint: canvas.paint },
  );
}

/** Names only the first, without the date of its version, which would only lengthen the name. */
function nameModels([first = "", ...more]: readonly string[]): string {
  const name = first.replace(/-20\d{6}$/, "");
  return more.length === 0 ? name : `${name} +${more.length}`;
}

function formatNotes(
  { dollars, estimated, unpriced, assumedCaches, uncut }: Analysis,
  paint: Canvas["paint"],
  columns: number,
): string {
  const notes = [
    ...(dollars > 0
      ? [
          "Avoidable: what pruning with your settings would have saved. Coppice replayed each session to compute it.",
        ]
      : []),
    ...(uncut === undefined ? [] : [`${uncut}.`]),
    ...(estimated > 0
      ? [
          `≈ marks estimates, where no usage was recorded or a price is assumed: ${formatDollars(estimated)} in total.`,
        ]
      : []),
    ...(assumedCaches.length > 0
      ? [
          `Cache prices assumed, as no price list has them: ${assumedCaches.map(plain).join(", ")}. Set schedule.prices.`,
        ]
      : []),
    ...(unpriced > 0
      ? [
          `The price of the model is not known for ${countOf(unpriced, "request")}: the dollar amounts leave them out. Set schedule.prices.`,
        ]
      : []),
    "coppice report <file> shows one session; coppice analyze --html writes all of this as a page.",
  ];
  return `\n${notes.map((note) => paint.dim(wrap(note, columns, 0))).join("")}`;
}

/** With a mark if any of it is an estimate; tokens if there is no price. */
function showMoney({ dollars, estimated, requests, unpriced, sent }: Money): string {
  if (dollars === 0 && unpriced > 0 && unpriced === requests) return `${shortCount(sent)} tok`;
  return `${estimated > 0 ? "≈" : ""}${formatDollars(dollars)}`;
}

function showAvoidable({ dollars, avoidable, unpriced, requests }: Money): string {
  if (dollars === 0 && unpriced > 0 && unpriced === requests) return "?";
  return formatDollars(avoidable);
}

/** `/home/ada/shop` is `~/shop` to Ada. */
export function shortenHome(path: string, home: string = homedir()): string {
  return home.length > 1 && (path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`))
    ? `~${path.slice(home.length)}`
    : path;
}

/** The text may come from others' files, and a terminal obeys control characters. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, " ");
}
