import { LiteralFilter } from "../../facts/literal-filter.ts";
import { findKnown, listLiterals } from "../../facts/literals.ts";
import type { Named } from "../../facts/named.ts";

/** Which literals were named in the session, and so matter for the current work. */
export type Salience = Pick<Named, "has" | "mayHave" | "weight">;

/** Where nothing is known of the work: no line scores. */
export const NO_SALIENCE: Salience = { has: () => false, mayHave: () => false, weight: () => 0 };

/** Tokens of lines that a summary keeps in addition, because they contain named literals. */
export const NAMED_ROOM = 400;

export function salienceOf(task: string): Salience {
  const literals = listLiterals(task);
  const filter = new LiteralFilter();
  for (const literal of literals) filter.add(literal);
  const has = (literal: string) => literals.has(literal);
  return {
    has,
    mayHave: (text, from, to) => filter.mayHave(text, from, to),
    weight: (literal) => (has(literal) ? 1 : 0),
  };
}

/**
 * A score for each line: the sum of the weights of its named literals, each divided by the number of lines that contain
 * it, so that rare literals count more.
 */
export function scoreLines(lines: readonly string[], salience: Salience): readonly number[] {
  const scores = lines.map(() => 0);
  if (salience === NO_SALIENCE) return scores;
  const holders = new Map<string, number[]>();
  // A line of one text is gone through faster than a string of its own, which is a slice of another.
  const text = lines.join("\n");
  const findIn = findKnown(text, salience);
  let from = 0;
  for (let i = 0; i < lines.length; i++) {
    const to = from + (lines[i]?.length ?? 0);
    for (const literal of findIn(from, to)) {
      const known = holders.get(literal);
      if (!known) holders.set(literal, [i]);
      else if (known.at(-1) !== i) known.push(i);
    }
    from = to + 1;
  }
  for (const [literal, held] of holders) {
    const share = salience.weight(literal) / held.length;
    for (const i of held) scores[i] = (scores[i] ?? 0) + share;
  }
  return scores;
}

/** The indices of the items with the highest scores; of equal ones the first. In their order. */
export function chooseFew(items: readonly string[], count: number, salience: Salience): readonly number[] {
  const scores = scoreLines(items, salience);
  return [...items.keys()]
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, count)
    .sort((a, b) => a - b);
}
