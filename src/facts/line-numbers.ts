import type { Ref, Span } from "../transcript/refs.ts";
import { findNumber } from "./file-text.ts";

/**
 * In lines. A shorter view saves almost nothing, and whether it saves enough would depend on nearby text, such as
 * our tag when a pruned transcript is pruned again.
 */
const LEAST_LINES = 40;

/** A view of a file with fewer line numbers. */
export interface ThinView {
  /** The text from the first numbered line to the last, unchanged. */
  readonly numbered: string;
  readonly render: (ref: Ref) => string;
}

/** Numbered lines of a view without the blanks before their numbers. */
export interface TrimmedView extends Span {
  readonly text: string;
}

/** Lines with blanks before their numbers. Each removed blank saves a token: fewer lines save almost nothing. */
const LEAST_PADDED = 20;

/** A number after blanks, as in `cat -n`: ` 9→`, ` 9\t`. Other forms may be the file's own text. */
const PADDED = /^ {1,9}(?=\d{1,9}[→\t])/;

/**
 * Removes the blanks before line numbers: every number and all text after it stays. `undefined` if the lines are
 * not numbered consecutively, or if this saves too little.
 *
 *          9→a |     10→b      ->     9→a | 10→b
 */
export function trimNumbers(text: string): TrimmedView | undefined {
  const view = findNumbered(text);
  if (!view) return undefined;
  let padded = 0;
  const trimmed = view.lines.map((line) => {
    const blanks = PADDED.exec(line)?.[0].length ?? 0;
    if (blanks > 0) padded++;
    return line.slice(blanks);
  });
  return padded < LEAST_PADDED ? undefined : { from: view.from, to: view.to, text: trimmed.join("\n") };
}

interface Numbered extends Span {
  readonly before: readonly string[];
  readonly lines: readonly string[];
  readonly after: readonly string[];
  /** The number of the first line. */
  readonly start: number;
}

/** The lines from the first numbered one to the last, if their numbers are consecutive. */
function findNumbered(text: string): Numbered | undefined {
  const all = text.split("\n");
  const first = all.findIndex((line) => findNumber(line) !== undefined);
  if (first < 0) return undefined;
  const last = all.findLastIndex((line) => findNumber(line) !== undefined);
  const start = findNumber(all[first] ?? "")?.number ?? 0;
  for (let i = first; i <= last; i++)
    if (findNumber(all[i] ?? "")?.number !== start + i - first) return undefined;
  const [before, lines, after] = [all.slice(0, first), all.slice(first, last + 1), all.slice(last + 1)];
  const from = before.reduce((sum, line) => sum + line.length + 1, 0);
  return { before, lines, after, start, from, to: from + lines.join("\n").length };
}

/**
 * The line that tools put above a view whose lines are edited by their numbers: `[src/a.ts#F055]`, `[File: a.py
 * (543 lines total)]`.
 */
const EDITED_BY_NUMBER = /^\[.*\]$/;

/**
 * Keeps the number of the first line, of every fifth and of the last: all others follow from these. `undefined` if
 * the lines are not numbered consecutively, if a line without its number would look numbered, or if the agent's own
 * tool needs the numbers.
 *
 *   11→a | 12→b | 13→c | 14→d | 15→e | 16→f | 17→g     ->     [only every fifth …] | 11→a | b | c | d | 15→e | f | 17→g
 */
export function thinNumbers(text: string): ThinView | undefined {
  const view = findNumbered(text);
  if (!view || view.lines.length < LEAST_LINES) return undefined;
  const { before, lines, after, start } = view;
  if (before.some((line) => EDITED_BY_NUMBER.test(line))) return undefined;
  const thin: string[] = [];
  for (const [i, line] of lines.entries()) {
    const own = line.slice(findNumber(line)?.length ?? 0);
    if (findNumber(own)) return undefined;
    const isKept = i === 0 || i === lines.length - 1 || (start + i) % 5 === 0;
    thin.push(isKept ? line : own);
  }
  return {
    numbered: lines.join("\n"),
    render: (ref) => [...before, `${THIN_MARK_LEAD}${ref}]`, ...thin, ...after].join("\n"),
  };
}

/** The start of the mark, before its ref. */
export const THIN_MARK_LEAD = "[only every fifth line number is shown · ";
