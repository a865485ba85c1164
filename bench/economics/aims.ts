import { type Column, formatTable, type ReplayRow, summarizeReplays } from "../../src/replay/index.ts";
import { percent } from "../../src/replay/table.ts";
import type { SessionFigures } from "./replay-session.ts";
import { totalsOf, unprunedOf } from "./session-totals.ts";

/** What the default is held to (spec/16), by figures that all sessions have alike. */
const AIMS: readonly Aim[] = [
  { title: "edit evidence", read: ({ editEvidence }) => editEvidence?.mean, least: 0.99 },
  { title: "worst session", read: ({ editEvidence }) => editEvidence?.least, least: 0.9 },
  { title: "missed steps", read: ({ misses }) => misses, most: 0.015 },
  { title: "evidence", read: ({ evidence }) => evidence?.mean, least: 0.99 },
  { title: "most expensive session", read: ({ bill }) => bill.most, most: 1.01 },
  { title: "worst stop", read: ({ worstStop }) => worstStop, most: 1.01 },
];

interface Aim {
  readonly title: string;
  readonly read: (row: ReplayRow) => number | undefined;
  readonly least?: number;
  readonly most?: number;
}

interface Line {
  readonly name: string;
  /** `undefined` in the line that says the aims. */
  readonly row: ReplayRow | undefined;
}

const COLUMNS: readonly Column<Line>[] = [
  ["sessions", ({ name }) => name],
  ...AIMS.map(
    (aim): Column<Line> => [aim.title, ({ row }) => (row ? showFigure(aim, aim.read(row)) : showAim(aim))],
  ),
  ["with misses", ({ row }) => (row ? `${percent(row.fetched.mean)}  ` : "no more than before  ")],
];

/** Claude Code's sessions and all of them, under each of these policies. A figure that misses its aim has a `!` behind it. */
export function formatAims(sessions: readonly SessionFigures[], policies: readonly string[]): string {
  const groups = [
    ["Claude Code", sessions.filter(({ source }) => source === "claude-code")],
    ["all", sessions],
  ] as const;
  const lines = groups.flatMap(([name, group]) =>
    policies.flatMap((policy): readonly Line[] => {
      const totals = totalsOf(group, policy);
      if (totals.length === 0) return [];
      const row = summarizeReplays(policy, totals, unprunedOf(group));
      return [{ name: `${name} (${group.length}), ${policy}`, row }];
    }),
  );
  return lines.length === 0 ? "" : formatTable(COLUMNS, [{ name: "aim", row: undefined }, ...lines]);
}

function showAim({ least, most }: Aim): string {
  return least === undefined ? `≤ ${percent(most)}  ` : `≥ ${percent(least)}  `;
}

function showFigure({ least = 0, most = Number.POSITIVE_INFINITY }: Aim, figure: number | undefined): string {
  const isMissed = figure !== undefined && (figure < least || figure > most);
  return `${percent(figure)} ${isMissed ? "!" : " "}`;
}
