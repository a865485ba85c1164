import { countOf, formatNumber } from "../../basics/numbers.ts";
import { isErrorLine } from "./error-lines.ts";
import { type FailureRank, isFailure, rankFailures } from "./failure-lines.ts";
import { CappedLines, renderLines } from "./lines.ts";
import { type Salience, scoreLines } from "./salience.ts";
import { closeSmallGaps, GAP_TOKENS, tokensOf } from "./small-gaps.ts";

export interface ChooseOptions {
  /** Lines at the start and at the end that always stay; the budget is for others. */
  readonly first?: number;
  readonly last?: number;
  /** Keep only those other lines that contain mentioned names. */
  readonly namedOnly?: boolean;
  /** Characters shown of a line. */
  readonly lineLimit?: number;
  /** Tokens up to which lines that report a failure stay before all others, even if that exceeds the budget. */
  readonly failures?: number;
  /** Say that the list is incomplete. */
  readonly isList?: boolean;
}

/**
 * Keeps lines with about `budgetTokens` in total: first those with rare named literals, then errors, then the first
 * lines. They stay in order, and each gap says how many lines are omitted. With `failures`, lines that report a
 * failure come before all of these.
 *
 *   40 lines, of which one holds `applyRate`, a literal that was named
 *   ->  line 1 … line 4 | ... [20 lines omitted] ... | rate = applyRate(order) | ... [15 lines omitted] ...
 */
export function chooseLines(
  text: string,
  budgetTokens: number,
  salience: Salience,
  { first = 0, last = 0, namedOnly = false, lineLimit, failures = 0, isList = false }: ChooseOptions = {},
): string {
  const lines = new CappedLines(text, lineLimit);
  const scores = scoreLines(lines, salience);
  const kept = new Array<boolean>(lines.length).fill(false).fill(true, 0, first);
  if (last > 0) kept.fill(true, -last);
  const found = failures > 0 ? keepFailures(lines, kept, failures) : NO_FAILURES;
  const order: number[] = [];
  for (let i = 0; i < lines.length; i++) if (!kept[i] && (!namedOnly || (scores[i] ?? 0) > 0)) order.push(i);
  const errors: boolean[] = [];
  // Queried only if scores do not decide.
  const isError = (i: number): number => {
    errors[i] ??= isErrorLine(lines, i);
    return Number(errors[i]);
  };
  const isBehind = (i: number): number => Number(found.ranks[i] === "behind");
  order.sort(
    (a, b) =>
      (scores[b] ?? 0) - (scores[a] ?? 0) || isBehind(b) - isBehind(a) || isError(b) - isError(a) || a - b,
  );
  let left = budgetTokens - GAP_TOKENS - found.tokens;
  for (const i of order) {
    const cost = tokensOf(lines.at(i)) + GAP_TOKENS * gapsAdded(kept, i);
    if (cost > left) continue;
    kept[i] = true;
    left -= cost;
  }
  closeSmallGaps(lines, kept);
  const shown = renderLines(lines, (i) => kept[i] === true);
  return [shown, ...noteOmitted(kept, found, isList)].join("\n");
}

/** Information that the gaps lack: omitted failures, or an incomplete list. */
function noteOmitted(kept: readonly boolean[], { ranks }: Failures, isList: boolean): readonly string[] {
  const omitted = kept.reduce((sum, isKept) => sum + Number(!isKept), 0);
  const failures = ranks.reduce((sum, rank, i) => sum + Number(isFailure(rank) && !kept[i]), 0);
  return [
    ...(failures > 0
      ? [
          `[${countOf(failures, "more line")} that ${failures === 1 ? "reports" : "report"} a failure omitted]`,
        ]
      : []),
    ...(isList && omitted > 0
      ? [`[this list is incomplete: ${formatNumber(omitted)} of ${countOf(kept.length, "line")} omitted]`]
      : []),
  ];
}

interface Failures {
  /** The relation of each line to a failure. */
  readonly ranks: readonly FailureRank[];
  /** Tokens of the kept ones. */
  readonly tokens: number;
}

const NO_FAILURES: Failures = { ranks: [], tokens: 0 };

/** Keeps the lines that report a failure, as far as there is room: names first, then messages. */
function keepFailures(lines: CappedLines, kept: boolean[], room: number): Failures {
  const ranks = rankFailures(lines);
  let tokens = 0;
  for (const rank of ["failure", "message"])
    for (let i = 0; i < ranks.length; i++) {
      if (ranks[i] !== rank || kept[i]) continue;
      const cost = tokensOf(lines.at(i)) + GAP_TOKENS * Math.max(0, gapsAdded(kept, i));
      if (tokens + cost > room) continue;
      kept[i] = true;
      tokens += cost;
    }
  return { ranks, tokens };
}

/** The number of added gaps if this line is kept too: 1 if it splits a gap, −1 if it fills one. */
function gapsAdded(kept: readonly boolean[], i: number): number {
  const left = i > 0 && !kept[i - 1] ? 1 : 0;
  const right = i < kept.length - 1 && !kept[i + 1] ? 1 : 0;
  return left + right - 1;
}
