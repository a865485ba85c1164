import { isErrorLine } from "./error-lines.ts";
import { CappedLines, renderLines } from "./lines.ts";
import { type Salience, scoreLines } from "./salience.ts";
import { closeSmallGaps, GAP_TOKENS, tokensOf } from "./small-gaps.ts";

export interface ChooseOptions {
  /** Lines at the start and at the end that always stay; the budget is for others. */
  readonly first?: number;
  readonly last?: number;
  /** Of the others, keep only lines with names that were mentioned. */
  readonly namedOnly?: boolean;
  /** Characters of a line that are shown. */
  readonly lineLimit?: number;
}

/**
 * Keeps lines of about `budgetTokens` in all: first those with rare literals that were named, then errors, then the
 * first lines. They stay in their order, and each gap says how many lines are omitted.
 *
 *   40 lines, of which one holds `applyRate`, a literal that was named
 *   ->  line 1 … line 4 | ... [20 lines omitted] ... | rate = applyRate(order) | ... [15 lines omitted] ...
 */
export function chooseLines(
  text: string,
  budgetTokens: number,
  salience: Salience,
  { first = 0, last = 0, namedOnly = false, lineLimit }: ChooseOptions = {},
): string {
  const lines = new CappedLines(text, lineLimit);
  const scores = scoreLines(lines, salience);
  const kept = new Array<boolean>(lines.length).fill(false).fill(true, 0, first);
  if (last > 0) kept.fill(true, -last);
  const order: number[] = [];
  for (let i = 0; i < lines.length; i++) if (!kept[i] && (!namedOnly || (scores[i] ?? 0) > 0)) order.push(i);
  const errors: boolean[] = [];
  // Asked for only where scores do not decide.
  const isError = (i: number): number => {
    errors[i] ??= isErrorLine(lines, i);
    return Number(errors[i]);
  };
  order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || isError(b) - isError(a) || a - b);
  let left = budgetTokens - GAP_TOKENS;
  for (const i of order) {
    const cost = tokensOf(lines.at(i)) + GAP_TOKENS * gapsAdded(kept, i);
    if (cost > left) continue;
    kept[i] = true;
    left -= cost;
  }
  closeSmallGaps(lines, kept);
  return renderLines(lines, (i) => kept[i] === true);
}

/** How many gaps there are more if this line is kept too: 1 if it splits a gap, −1 if it fills one. */
function gapsAdded(kept: readonly boolean[], i: number): number {
  const left = i > 0 && !kept[i - 1] ? 1 : 0;
  const right = i < kept.length - 1 && !kept[i + 1] ? 1 : 0;
  return left + right - 1;
}
