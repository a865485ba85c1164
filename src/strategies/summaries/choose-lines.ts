import { findErrorLines } from "./error-lines.ts";
import { capLine, renderLines, splitLines } from "./lines.ts";
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
  const lines = splitLines(text).map((line) => capLine(line, lineLimit));
  const scores = scoreLines(lines, salience);
  const kept = lines.map((_, i) => i < first || i >= lines.length - last);
  const order = [...lines.keys()].filter((i) => !kept[i] && (!namedOnly || (scores[i] ?? 0) > 0));
  const errors = order.length > 1 ? findErrorLines(lines) : [];
  order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || Number(errors[b]) - Number(errors[a]) || a - b);
  let left = budgetTokens - GAP_TOKENS;
  for (const i of order) {
    const cost = tokensOf(lines[i] ?? "") + GAP_TOKENS * gapsAdded(kept, i);
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
