import { LineSpans } from "../../facts/line-spans.ts";
import { LiteralFilter } from "../../facts/literal-filter.ts";
import {
  findKnown,
  findLiterals,
  type Known,
  type KnownInLines,
  listLiterals,
  mergeLines,
} from "../../facts/literals.ts";
import type { Named } from "../../facts/named.ts";
import type { CappedLines } from "./lines.ts";

/** The literals that were named in the session, and therefore matter for the current work. */
export type Salience = Pick<Named, "weight"> & { findIn(spans: LineSpans, longest: number): KnownInLines };

/** For texts without a known task: no line scores. */
export const NO_SALIENCE: Salience = {
  weight: () => 0,
  findIn: () => ({ literals: [], lines: [] }),
};

/** Tokens of lines that a summary keeps in addition, because they contain named literals. */
export const NAMED_ROOM = 400;

export function salienceOf(task: string): Salience {
  const literals = listLiterals(task);
  const filter = new LiteralFilter();
  for (const literal of literals) filter.add(literal);
  const has = (literal: string) => literals.has(literal);
  const known: Known = { has, mayHave: (text, from, to) => filter.mayHave(text, from, to) };
  return {
    weight: (literal) => (has(literal) ? 1 : 0),
    findIn: (spans, longest) => findKnown(spans, findLiterals(spans.text), known, longest),
  };
}

/**
 * A score for each line: the sum of the weights of its named literals, each divided by the number of lines that contain
 * it, so that rare literals count more.
 */
export function scoreLines(lines: CappedLines, salience: Salience): readonly number[] {
  if (salience === NO_SALIENCE) return new Array<number>(lines.length).fill(0);
  const { spans, longest } = lines;
  const found = salience.findIn(spans, longest);
  const isCapped = spans.longest > longest;
  return addUp(isCapped ? mergeLines(found, findInCapped(lines, salience)) : found, lines.length, salience);
}

/** Searches only the shown part of long lines. */
function findInCapped(lines: CappedLines, salience: Salience): KnownInLines {
  const literals: string[] = [];
  const at: number[] = [];
  for (let line = 0; line < lines.length; line++) {
    if (!lines.isCapped(line)) continue;
    for (const literal of findInLine(lines.at(line), salience)) {
      literals.push(literal);
      at.push(line);
    }
  }
  return { literals, lines: at };
}

function findInLine(line: string, salience: Salience): readonly string[] {
  return salience.findIn(new LineSpans(line), Number.POSITIVE_INFINITY).literals;
}

function addUp({ literals, lines }: KnownInLines, count: number, salience: Salience): readonly number[] {
  const scores = new Array<number>(count).fill(0);
  const holders = new Map<string, number[]>();
  for (const [i, literal] of literals.entries()) {
    const line = lines[i] ?? 0;
    const known = holders.get(literal);
    if (!known) holders.set(literal, [line]);
    else if (known.at(-1) !== line) known.push(line);
  }
  for (const [literal, held] of holders) {
    const share = salience.weight(literal) / held.length;
    for (const line of held) scores[line] = (scores[line] ?? 0) + share;
  }
  return scores;
}

/** The indices of the items with the highest scores, and of equal ones the first. In order. */
export function chooseFew(items: readonly string[], count: number, salience: Salience): readonly number[] {
  const scores = scoreItems(items, salience);
  return [...items.keys()]
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, count)
    .sort((a, b) => a - b);
}

function scoreItems(items: readonly string[], salience: Salience): readonly number[] {
  const literals: string[] = [];
  const lines: number[] = [];
  for (const [i, item] of salience === NO_SALIENCE ? [] : items.entries()) {
    for (const literal of findInLine(item, salience)) {
      literals.push(literal);
      lines.push(i);
    }
  }
  return addUp({ literals, lines }, items.length, salience);
}
