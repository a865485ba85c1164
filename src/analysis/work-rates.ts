import { countOf, formatNumber } from "../basics/numbers.ts";
import type { WorkCounts } from "../facts/work-counts.ts";

export type RateName = "missedEdits" | "rereads" | "recalls" | "reruns" | "requests";

/** A sign of whether an agent misses something, as a share or a ratio of two counts. */
export interface Rate {
  readonly name: RateName;
  readonly of: "edits" | "reads" | "requests" | "commands" | "prompts";
  /** Shown per 100. */
  readonly isShare: boolean;
  /** For tables. */
  readonly title: string;
  /** For sentences. */
  readonly short: string;
}

/** The rates, and their words for all outputs. */
export const RATES: readonly Rate[] = [
  {
    name: "missedEdits",
    of: "edits",
    isShare: true,
    title: "edits that failed: text not found",
    short: "failed edits",
  },
  {
    name: "rereads",
    of: "reads",
    isShare: true,
    title: "reads of text already read",
    short: "repeated reads",
  },
  { name: "reruns", of: "commands", isShare: true, title: "commands run again", short: "commands run again" },
  { name: "recalls", of: "requests", isShare: true, title: "recalls of cut text", short: "recalls" },
  {
    name: "requests",
    of: "prompts",
    isShare: false,
    title: "requests per prompt",
    short: "requests per prompt",
  },
];

/** The heading of every table of these rates. */
export const WORK_TITLE = "How the agent's work went";

/** Explains the table's titles. */
export const RATES_NOTE =
  "An edit counts as failed if the text to replace was not in the file. A read counts if an earlier result shows the same lines and nothing has changed them; a command if it was run before and nothing has changed since. Agents do some of each without any pruning.";

/** A count, and the total that it is a share of. */
export function countsOf(
  { name, of }: Rate,
  work: WorkCounts,
): { readonly count: number; readonly of: number } {
  return { count: work[name], of: work[of] };
}

/** `2.1 of 100`, `11.9`; `–` if the total is zero. */
export function showRate(rate: Rate, work: WorkCounts): string {
  const { count, of } = countsOf(rate, work);
  return of === 0 ? "–" : showFigure(rate, count / of);
}

/** `12 of 571 edits`, `918 for 76 prompts` */
export function showCounts(rate: Rate, work: WorkCounts): string {
  const { count, of } = countsOf(rate, work);
  if (of === 0) return `no ${rate.of}`;
  return `${formatNumber(count)} ${rate.isShare ? "of" : "for"} ${countOf(of, rate.of.slice(0, -1))}`;
}

export function showFigure({ isShare }: Rate, figure: number): string {
  return isShare ? `${(100 * figure).toFixed(1)} of 100` : figure.toFixed(1);
}
