import { formatTable, type ReplayColumn, type ReplayRow, summarizeReplays } from "../../src/replay/index.ts";
import { percent } from "../../src/replay/table.ts";
import type { SessionFigures } from "./replay-session.ts";
import { DEFAULT, listPolicyNames, totalsOf, unprunedOf } from "./session-totals.ts";

interface Line {
  readonly scenario: string;
  readonly row: ReplayRow;
  /** Cuts of a session, mean. */
  readonly cuts: number;
  /** Bills of the other policies. */
  readonly others: ReadonlyMap<string, number>;
}

/** No session may cost more than this, wherever it ends. */
const MOST = 1.01;

const COLUMNS: readonly ReplayColumn<Line>[] = [
  ["bill", ({ row }) => percent(row.bill.mean)],
  ["worst", ({ row }) => limited(row.bill.most)],
  ["worst stop", ({ row }) => limited(row.worstStop)],
  ["with misses", ({ row }) => percent(row.fetched.mean)],
  ["missed steps", ({ row }) => percent(row.misses)],
  ["evidence", ({ row }) => percent(row.evidence?.mean)],
  ["edit evidence", ({ row }) => percent(row.editEvidence?.mean)],
  ["worst", ({ row }) => percent(row.editEvidence?.least)],
  ["cuts", ({ cuts }) => cuts.toFixed(0)],
];

/** A line for each scenario: Coppice, then the bills of the others. A `!` stands behind what is more than 101 %. */
export function formatScenarios(sessions: readonly SessionFigures[]): string {
  const lines = listLines(sessions);
  const others = [...(lines[0]?.others.keys() ?? [])];
  if (lines.length === 0) return "";
  return formatTable(
    [
      ["terms", ({ scenario }) => scenario],
      ...COLUMNS,
      ...others.map((policy): ReplayColumn<Line> => [policy, (line) => percent(line.others.get(policy))]),
    ],
    lines,
  );
}

function listLines(sessions: readonly SessionFigures[]): readonly Line[] {
  const scenarios = sessions[0]?.scenarios.map(({ scenario }) => scenario) ?? [];
  return scenarios.map((scenario): Line => {
    const figures = sessions.map((session) => ({
      ...session,
      totals: session.scenarios.find((each) => each.scenario === scenario)?.totals ?? [],
    }));
    const summarize = (policy: string) =>
      summarizeReplays(policy, totalsOf(figures, policy), unprunedOf(figures));
    const totals = totalsOf(figures, DEFAULT);
    const cuts = totals.flatMap(({ mechanisms }) => mechanisms.map((each) => each.cuts));
    const [, ...policies] = listPolicyNames(figures);
    return {
      scenario,
      row: summarize(DEFAULT),
      cuts: cuts.reduce((sum, each) => sum + each, 0) / totals.length,
      others: new Map(
        policies.filter((policy) => policy !== DEFAULT).map((name) => [name, summarize(name).bill.mean]),
      ),
    };
  });
}

function limited(share: number): string {
  return `${percent(share)}${share > MOST ? " !" : "  "}`;
}
