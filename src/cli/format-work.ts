import { describeCompared, describeSplit, type WorkComparison } from "../analysis/compare-work.ts";
import { RATES, showCounts, showRate } from "../analysis/work-rates.ts";
import type { Screen } from "./screen.ts";
import { type Column, formatTable, wrap } from "./table.ts";

type Canvas = Pick<Screen, "columns" | "paint">;

/** How the work went, in sessions with cuts and without; for a holdout, also the comparison. */
export function formatWork(compared: WorkComparison, canvas: Canvas): string {
  const { pruned, unpruned, rates = [] } = compared;
  const kinds = [
    { name: "with pruning", work: pruned },
    { name: "without pruning", work: unpruned },
  ].filter(({ work }) => work.sessions > 0);
  if (kinds.length === 0) return "";
  const columns: readonly Column[] = [
    { title: "", align: "left", atLeast: 20 },
    ...kinds.flatMap(({ name }): readonly Column[] => [
      { title: name, align: "right" },
      { title: "", align: "left", spare: 1 },
    ]),
  ];
  const rows = RATES.map((rate) => [
    rate.title,
    ...kinds.flatMap(({ work: { counts } }) => [showRate(rate, counts), showCounts(rate, counts)]),
  ]);
  const table = formatTable(columns, rows, { width: canvas.columns, paint: canvas.paint });
  const verdicts = rates.map((rate) => wrap(describeCompared(rate), canvas.columns));
  const note = wrap(describeSplit(compared), canvas.columns);
  return [table, ...verdicts, canvas.paint.dim(note)].join("");
}
