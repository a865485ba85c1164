import { type Evidence, formatTable, type ReplayColumn, spread } from "../../src/replay/index.ts";
import { percent } from "../../src/replay/table.ts";
import type { PatchFigures } from "./measure-run.ts";

/** One run under some policies. Plain data. */
export interface RunFigures {
  readonly file: string;
  readonly outcome: string;
  /** Hunks of its final patch. */
  readonly hunks: number;
  readonly policies: readonly PatchFigures[];
}

interface Row {
  readonly name: string;
  readonly runs: readonly RunFigures[];
  readonly figures: readonly PatchFigures[];
}

const COLUMNS: readonly ReplayColumn<Row>[] = [
  ["runs", ({ name }) => name],
  ["bill", ({ figures }) => mean(figures.map(({ totals }) => totals.share))],
  ["with misses", ({ figures }) => mean(figures.map(({ totals }) => totals.fetchedShare))],
  ["evidence", ({ figures }) => mean(figures.flatMap(({ totals }) => shareOf(totals.evidence)))],
  ["cuts", ({ figures }) => (spread(figures.map(countCuts))?.mean ?? 0).toFixed(1)],
  ["runs with lines", ({ figures }) => String(figures.filter(({ lines }) => lines.counted > 0).length)],
  ["hunks", ({ runs, figures }) => `${count(figures, "hunks")} of ${add(runs.map(({ hunks }) => hunks))}`],
  ["lines", ({ figures }) => String(count(figures, "lines"))],
  ["in view", ({ figures }) => mean(figures.flatMap(({ lines }) => shareOf(lines)))],
  ["worst run", ({ figures }) => percent(spread(figures.flatMap(({ lines }) => shareOf(lines)))?.least)],
  [
    "lost hunks",
    ({ figures }) => mean(figures.flatMap(({ hunks }) => shareOf(hunks).map((kept) => 1 - kept))),
  ],
];

/** A line for each policy and outcome. All runs count the same. */
export function formatOutcomes(runs: readonly RunFigures[]): string {
  const policies = runs[0]?.policies.map(({ totals }) => totals.policy) ?? [];
  const outcomes = [...new Set(runs.map(({ outcome }) => outcome))].toSorted().reverse();
  const rows = policies.flatMap((policy) =>
    outcomes.map((outcome): Row => {
      const own = runs.filter((run) => run.outcome === outcome);
      const figures = own.flatMap((run) => run.policies.find(({ totals }) => totals.policy === policy) ?? []);
      return { name: `${policy}: ${outcome} (${own.length})`, runs: own, figures };
    }),
  );
  return formatTable(COLUMNS, rows);
}

function shareOf({ counted, kept }: Evidence): readonly number[] {
  return counted > 0 ? [kept / counted] : [];
}

function mean(shares: readonly number[]): string {
  return percent(spread(shares)?.mean);
}

function countCuts({ totals }: PatchFigures): number {
  return add(totals.mechanisms.map(({ cuts }) => cuts));
}

function count(figures: readonly PatchFigures[], of: "hunks" | "lines"): number {
  return add(figures.map((each) => each[of].counted));
}

function add(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
