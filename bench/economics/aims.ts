import { formatTable, type ReplayColumn, type ReplayRow, summarizeReplays } from "../../src/replay/index.ts";
import { percent } from "../../src/replay/table.ts";
import { BEFORE } from "./before.ts";
import type { SessionFigures } from "./replay-session.ts";
import { totalsOf, unprunedOf } from "./session-totals.ts";
import { type MoneyRow, weighByMoney } from "./weigh-by-money.ts";

/** What the default is held to (spec/16), by figures that all sessions have alike. */
const AIMS: readonly Aim[] = [
  { title: "edit evidence", read: ({ editEvidence }) => editEvidence?.mean, least: 0.99 },
  { title: "worst session", read: ({ editEvidence }) => editEvidence?.least, least: 0.9 },
  { title: "missed steps", read: ({ misses }) => misses, most: 0.015 },
  { title: "evidence", read: ({ evidence }) => evidence?.mean, least: 0.99 },
  { title: "most expensive session", read: ({ bill }) => bill.most, most: 1.01 },
  { title: "worst stop", read: ({ worstStop }) => worstStop, most: 1.01 },
];

interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

interface Aim extends Bounds {
  readonly title: string;
  readonly read: (row: ReplayRow) => number | undefined;
}

interface Line {
  readonly name: string;
  /** `undefined` in the line that says the aims. */
  readonly figures: Figures | undefined;
  /** Of the decisions before, where they are in the same run. */
  readonly before?: Figures;
}

interface Figures {
  readonly row: ReplayRow;
  readonly byMoney: MoneyRow;
}

const WITH_MISSES: readonly (readonly [title: string, read: (figures: Figures) => number | undefined])[] = [
  ["with misses", ({ row }) => row.fetched.mean],
  ["by money", ({ byMoney }) => byMoney.fetched],
];

const COLUMNS: readonly ReplayColumn<Line>[] = [
  ["sessions", ({ name }) => name],
  ...AIMS.map(
    (aim): ReplayColumn<Line> => [
      aim.title,
      ({ figures }) => (figures ? showFigure(aim, aim.read(figures.row)) : showAim(aim)),
    ],
  ),
  ...WITH_MISSES.map(
    ([title, read]): ReplayColumn<Line> => [
      title,
      ({ figures, before }) => {
        const most = before && read(before);
        return figures ? showFigure({ ...(most !== undefined && { most }) }, read(figures)) : "≤ before  ";
      },
    ],
  ),
];

/** Claude Code's sessions and all of them, under each of these policies. A figure that misses its aim has a `!` behind it. */
export function formatAims(sessions: readonly SessionFigures[], policies: readonly string[]): string {
  const groups = [
    ["Claude Code", sessions.filter(({ source }) => source === "claude-code")],
    ["all", sessions],
  ] as const;
  const lines = groups.flatMap(([name, group]) => {
    const before = readFigures(group, BEFORE);
    return policies.flatMap((policy): readonly Line[] => {
      const figures = readFigures(group, policy);
      if (!figures) return [];
      return [{ name: `${name} (${group.length}), ${policy}`, figures, ...(before && { before }) }];
    });
  });
  return lines.length === 0 ? "" : formatTable(COLUMNS, [{ name: "aim", figures: undefined }, ...lines]);
}

function readFigures(sessions: readonly SessionFigures[], policy: string): Figures | undefined {
  const [totals, unpruned] = [totalsOf(sessions, policy), unprunedOf(sessions)];
  if (totals.length === 0) return undefined;
  return {
    row: summarizeReplays(policy, totals, unpruned),
    byMoney: weighByMoney(policy, totals, unpruned),
  };
}

function showAim({ least, most }: Aim): string {
  return least === undefined ? `≤ ${percent(most)}  ` : `≥ ${percent(least)}  `;
}

function showFigure(
  { least = 0, most = Number.POSITIVE_INFINITY }: Bounds,
  figure: number | undefined,
): string {
  const isMissed = figure !== undefined && (figure < least || figure > most);
  return `${percent(figure)} ${isMissed ? "!" : " "}`;
}
