import type { ReplayRow } from "./summarize.ts";

export type Column<Row> = readonly [title: string, show: (row: Row) => string];

const MONEY: readonly Column<ReplayRow>[] = [
  ["bill", ({ bill }) => percent(bill.mean)],
  ["worst", ({ bill }) => percent(bill.most)],
  ["with misses", ({ fetched }) => percent(fetched.mean)],
  ["missed steps", ({ misses }) => percent(misses)],
  ["evidence", ({ evidence }) => percent(evidence?.mean)],
  ["worst", ({ evidence }) => percent(evidence?.least)],
  ["edit evidence", ({ editEvidence }) => percent(editEvidence?.mean)],
  ["worst", ({ editEvidence }) => percent(editEvidence?.least)],
];

/**
 * A table of bill and evidence, in the order given, without a final line end. Each `worst` is of the column before it.
 * `title` is that of the first column.
 *
 *   policy               bill   worst  with misses  missed steps  …
 *   no pruning         100.0%  100.0%       100.0%          0.0%  …
 */
export function formatReplayTable(rows: readonly ReplayRow[], title: string = "policy"): string {
  return formatTable([[title, ({ policy }) => policy], ...MONEY], rows);
}

const DETAILS: readonly Column<ReplayRow>[] = [
  ["policy", ({ policy }) => policy],
  ["input alone", ({ inputBill }) => percent(inputBill.mean)],
  ["middle half", ({ bill }) => `${percent(bill.lower)} to ${percent(bill.upper)}`],
  ["rewriting free", ({ rewriteFree }) => percent(rewriteFree)],
  ["worst with misses", ({ fetched }) => percent(fetched.most)],
  ["own words", ({ ownEvidence }) => percent(ownEvidence?.mean)],
  ["cache breaks", ({ breaks }) => breaks.toFixed(1)],
  ["illegal", ({ illegal }) => String(illegal)],
];

/** What stands behind the figures of the first table. */
export function formatDetailsTable(rows: readonly ReplayRow[]): string {
  return formatTable(DETAILS, rows);
}

const LIMITS: readonly Column<ReplayRow>[] = [
  ["policy", ({ policy }) => policy],
  ["tokens sent", ({ sent }) => percent(sent)],
  ["not from cache", ({ uncached }) => percent(uncached)],
  ["peak", ({ peak }) => thousands(peak)],
  ["largest peak", ({ largestPeak }) => thousands(largestPeak)],
  ["compactions", ({ compactions }) => `${compactions.left} of ${compactions.recorded}`],
];

/** For users with a subscription: how full the window gets, how often the host compacts, and what rate limits count. */
export function formatLimitsTable(rows: readonly ReplayRow[]): string {
  return formatTable(LIMITS, rows);
}

/** The first column is names, aligned left; the others are figures, aligned right. */
export function formatTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, show]) => show(row)))];
  const widths = columns.map((_, column) =>
    cells.reduce((widest, line) => Math.max(widest, line[column]?.length ?? 0), 0),
  );
  const align = (cell: string, column: number): string => {
    const width = widths[column] ?? 0;
    return column === 0 ? cell.padEnd(width) : cell.padStart(width);
  };
  return cells.map((line) => line.map(align).join("  ").trimEnd()).join("\n");
}

export function percent(share: number | undefined): string {
  return share === undefined ? "–" : `${(share * 100).toFixed(1)}%`;
}

function thousands(tokens: number): string {
  return `${(tokens / 1000).toFixed(1)}k`;
}
