import { type Day, monthOf } from "../analysis/calendar.ts";
import type { AnalysisGroup, Grouping } from "../analysis/group-analyses.ts";
import type { Money } from "../analysis/money-sums.ts";
import type { PrefixAnalysis } from "../analysis/prefix-share.ts";
import type { Carried, Spending } from "../analysis/session-analysis.ts";
import type { Analysis, FileReread, PresetOutcome } from "../analysis/sum-analyses.ts";
import { buildIndexData, type SessionRowData } from "./index-data.ts";

/** The data of an analysis page. Plain JSON. */
export interface AnalysisData {
  readonly version: 1;
  /** The time zone of the days. */
  readonly zone: string;
  readonly sum: Money;
  /** The month in which the page was written. */
  readonly month?: Money;
  readonly sources: Analysis["sources"];
  /** Bars over time, oldest first: days, or weeks or months if there are many. */
  readonly bars: { readonly unit: Grouping; readonly groups: readonly AnalysisGroup[] };
  readonly tools: readonly Spending[];
  readonly kinds: readonly Spending[];
  readonly models: readonly AnalysisGroup[];
  readonly projects: readonly AnalysisGroup[];
  readonly stale: Carried;
  readonly coldStarts: Analysis["coldStarts"];
  readonly rereads: readonly FileReread[];
  readonly work: Analysis["work"];
  readonly presets: readonly PresetOutcome[];
  readonly prefix?: PrefixAnalysis;
  readonly caches: Analysis["caches"];
  readonly rows: readonly SessionRowData[];
  readonly assumedCaches: readonly string[];
  readonly redacted: boolean;
}

export interface AnalysisPageOptions {
  readonly zone: string;
  readonly today: Day;
  readonly groupBy: (by: Grouping) => readonly AnalysisGroup[];
  /** Files of reports, by the path of their session. */
  readonly pages: ReadonlyMap<string, string>;
  readonly redacted: boolean;
}

const LISTED = 30;
/** The most bars that can still be told apart. */
const MOST_BARS = 100;

export function buildAnalysisData(analysis: Analysis, options: AnalysisPageOptions): AnalysisData {
  const { zone, today, groupBy, pages, redacted } = options;
  const { tools, kinds, stale, coldStarts, rereads, work, presets, prefix, caches, sources, assumedCaches } =
    analysis;
  const { requests, sent, written, dollars, estimated, avoidable, saved, unpriced } = analysis;
  const month = groupBy("month").find(({ name }) => name === monthOf(today));
  return {
    version: 1,
    zone,
    sum: { requests, sent, written, dollars, estimated, avoidable, saved, unpriced },
    ...(month && { month }),
    sources,
    bars: chooseBars(groupBy),
    tools: tools.slice(0, LISTED),
    kinds: kinds.slice(0, LISTED),
    models: groupBy("model").slice(0, LISTED),
    projects: groupBy("project").slice(0, LISTED),
    stale,
    coldStarts,
    rereads: rereads.slice(0, LISTED),
    work,
    presets,
    ...(prefix && { prefix }),
    caches,
    assumedCaches,
    rows: buildIndexData(analysis, { folder: "", pages, files: [], redacted }).rows,
    redacted,
  };
}

function chooseBars(groupBy: AnalysisPageOptions["groupBy"]): AnalysisData["bars"] {
  for (const unit of ["day", "week"] as const) {
    const groups = groupBy(unit).filter(({ name }) => name !== undefined);
    if (groups.length <= MOST_BARS) return { unit, groups };
  }
  return { unit: "month", groups: groupBy("month").filter(({ name }) => name !== undefined) };
}
