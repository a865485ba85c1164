import type { Evidence } from "./evidence.ts";
import type { ReplayTotals } from "./replay.ts";
import { sum } from "./sum.ts";

/** One policy over some sessions. Each session counts alike; shares are of the unpruned session, 1 is all. */
export interface ReplayRow {
  readonly policy: string;
  readonly sessions: number;
  readonly bill: number;
  /** The session that came off worst. */
  readonly worst: number;
  /** The bill if rewriting were free. */
  readonly rewriteFree: number;
  /** `undefined` where no anchor counts. */
  readonly evidence: number | undefined;
  readonly editEvidence: number | undefined;
  readonly breaks: number;
  readonly peak: number;
  /** Things that a provider would refuse, over all sessions. */
  readonly illegal: number;
}

/** Means over the sessions of one policy that made a request; the worst bill is the highest share. */
export function summarizeReplays(policy: string, replays: readonly ReplayTotals[]): ReplayRow {
  const sessions = replays.filter(({ count }) => count > 0);
  const shares = sessions.map(({ share }) => share);
  return {
    policy,
    sessions: sessions.length,
    bill: mean(shares) ?? 1,
    worst: shares.length === 0 ? 1 : Math.max(...shares),
    rewriteFree: mean(sessions.map(({ share, bill, rewriteFree }) => (share * rewriteFree) / bill)) ?? 1,
    evidence: meanEvidence(sessions.map(({ evidence }) => evidence)),
    editEvidence: meanEvidence(sessions.map(({ editEvidence }) => editEvidence)),
    breaks: mean(sessions.map(({ breaks }) => breaks)) ?? 0,
    peak: mean(sessions.map(({ peak }) => peak)) ?? 0,
    illegal: sum(sessions.map(({ illegal }) => illegal)),
  };
}

function meanEvidence(evidence: readonly Evidence[]): number | undefined {
  return mean(evidence.filter(({ counted }) => counted > 0).map(({ counted, kept }) => kept / counted));
}

function mean(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : sum(numbers) / numbers.length;
}

const COLUMNS: readonly (readonly [title: string, show: (row: ReplayRow) => string])[] = [
  ["policy", ({ policy }) => policy],
  ["bill", ({ bill }) => percent(bill)],
  ["worst session", ({ worst }) => percent(worst)],
  ["rewriting free", ({ rewriteFree }) => percent(rewriteFree)],
  ["evidence", ({ evidence }) => percent(evidence)],
  ["edit evidence", ({ editEvidence }) => percent(editEvidence)],
  ["cache breaks", ({ breaks }) => breaks.toFixed(1)],
  ["peak", ({ peak }) => `${(peak / 1000).toFixed(1)}k`],
  ["illegal", ({ illegal }) => String(illegal)],
];

/**
 * Rows of text, in the order given, without a line end at the end.
 *
 *   policy               bill  worst session  …
 *   no pruning         100.0%         100.0%  …
 */
export function formatReplayTable(rows: readonly ReplayRow[]): string {
  const cells = [COLUMNS.map(([title]) => title), ...rows.map((row) => COLUMNS.map(([, show]) => show(row)))];
  const widths = COLUMNS.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells.map((line) => line.map((cell, i) => align(cell, widths[i] ?? 0, i)).join("  ")).join("\n");
}

/** Names to the left, figures to the right. */
function align(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function percent(share: number | undefined): string {
  return share === undefined ? "–" : `${(share * 100).toFixed(1)}%`;
}
