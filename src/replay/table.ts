import type { ReplayRow } from "./summarize.ts";

export type ReplayColumn<Row> = readonly [title: string, show: (row: Row) => string];

/** This column needs the one before it to make sense. */
const WORST = "worst";

const MONEY: readonly ReplayColumn<ReplayRow>[] = [
  ["bill", ({ bill }) => percent(bill.mean)],
  [WORST, ({ bill }) => percent(bill.most)],
  ["with misses", ({ fetched }) => percent(fetched.mean)],
  ["missed steps", ({ misses }) => percent(misses)],
  ["evidence", ({ evidence }) => percent(evidence?.mean)],
  [WORST, ({ evidence }) => percent(evidence?.least)],
  ["edit evidence", ({ editEvidence }) => percent(editEvidence?.mean)],
  [WORST, ({ editEvidence }) => percent(editEvidence?.least)],
  ["lost edits", ({ lostEdits }) => percent(lostEdits?.mean)],
  [WORST, ({ lostEdits }) => percent(lostEdits?.most)],
];

/**
 * A table of bill and evidence, in the order of the rows, without a final line end. Each `worst` belongs to the
 * column before it. `title` heads the first column. A table wider than `width` is split into several.
 *
 *   policy               bill   worst  with misses  missed steps  …
 *   no pruning         100.0%  100.0%       100.0%          0.0%  …
 */
export function formatReplayTable(
  rows: readonly ReplayRow[],
  title: string = "policy",
  width: number = Number.POSITIVE_INFINITY,
): string {
  return formatTable([[title, ({ policy }) => policy], ...MONEY], rows, width);
}

const DETAILS: readonly ReplayColumn<ReplayRow>[] = [
  ["policy", ({ policy }) => policy],
  ["by money", ({ byMoney }) => percent(byMoney)],
  ["worst stop", ({ worstStop }) => percent(worstStop)],
  ["input alone", ({ inputBill }) => percent(inputBill.mean)],
  ["middle half", ({ bill }) => `${percent(bill.lower)} to ${percent(bill.upper)}`],
  ["rewriting free", ({ rewriteFree }) => percent(rewriteFree)],
  ["worst with misses", ({ fetched }) => percent(fetched.most)],
  ["own words", ({ ownEvidence }) => percent(ownEvidence?.mean)],
  ["cache breaks", ({ breaks }) => breaks.toFixed(1)],
  ["illegal", ({ illegal }) => String(illegal)],
];

/** The details behind the figures of the first table. */
export function formatDetailsTable(rows: readonly ReplayRow[], width?: number): string {
  return formatTable(DETAILS, rows, width);
}

const LIMITS: readonly ReplayColumn<ReplayRow>[] = [
  ["policy", ({ policy }) => policy],
  ["tokens sent", ({ sent }) => percent(sent)],
  ["not from cache", ({ uncached }) => percent(uncached)],
  ["peak", ({ peak }) => thousands(peak)],
  ["largest peak", ({ largestPeak }) => thousands(largestPeak)],
  ["compactions", ({ compactions }) => `${compactions.left} of ${compactions.recorded}`],
];

/**
 * For users with a subscription: how full the window gets, how often the host compacts, and the tokens that count
 * for rate limits.
 */
export function formatLimitsTable(rows: readonly ReplayRow[], width?: number): string {
  return formatTable(LIMITS, rows, width);
}

/**
 * The first column is names, aligned left; the others are figures, aligned right. Columns that do not fit into
 * `width` follow in further tables, each with the names again.
 */
export function formatTable<Row>(
  columns: readonly ReplayColumn<Row>[],
  rows: readonly Row[],
  width: number = Number.POSITIVE_INFINITY,
): string {
  const cells = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, show]) => show(row)))];
  const widths = columns.map((_, column) =>
    cells.reduce((widest, line) => Math.max(widest, line[column]?.length ?? 0), 0),
  );
  const align = (cell: string, column: number): string => {
    const width = widths[column] ?? 0;
    return column === 0 ? cell.padEnd(width) : cell.padStart(width);
  };
  return splitColumns(columns, widths, width)
    .map((shown) =>
      cells.map((line) =>
        shown
          .map((column) => align(line[column] ?? "", column))
          .join(GAP)
          .trimEnd(),
      ),
    )
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

const GAP = "  ";

/** The columns of each table, by number. */
function splitColumns<Row>(
  columns: readonly ReplayColumn<Row>[],
  widths: readonly number[],
  width: number,
): readonly (readonly number[])[] {
  const names = widths[0] ?? 0;
  const tables = [[0]];
  let used = names;
  for (let at = 1; at < columns.length; ) {
    const end = columns[at + 1]?.[0] === WORST ? at + 2 : at + 1;
    const own = Array.from({ length: end - at }, (_, i) => at + i);
    const room = own.reduce((sum, column) => sum + GAP.length + (widths[column] ?? 0), 0);
    if (used > names && used + room > width) {
      tables.push([0]);
      used = names;
    }
    tables.at(-1)?.push(...own);
    used += room;
    at = end;
  }
  return tables;
}

export function percent(share: number | undefined): string {
  return share === undefined ? "–" : `${(share * 100).toFixed(1)}%`;
}

function thousands(tokens: number): string {
  return `${(tokens / 1000).toFixed(1)}k`;
}
