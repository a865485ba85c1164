import type { Ref, Span } from "../transcript/refs.ts";
import { findNumber } from "./file-text.ts";

/**
 * Lines. Of a shorter view next to nothing is saved, and whether it is enough would depend on what stands beside it: a tag
 * of ours, when a pruned transcript is pruned again.
 */
const LEAST_LINES = 40;

/** A view of a file with fewer line numbers. */
export interface ThinView {
  /** What stands from the first numbered line to the last, as it was. */
  readonly numbered: string;
  readonly render: (ref: Ref) => string;
}

/** Numbered lines of a view without the blanks before their numbers. */
export interface TrimmedView extends Span {
  readonly text: string;
}

/** Lines with blanks before their numbers. A blank less is a token less: of fewer lines next to nothing is saved. */
const LEAST_PADDED = 20;

/** A number behind blanks, as `cat -n` writes it: `     9→`, `     9\t`. Other forms may be the file's own text. */
const PADDED = /^ {1,9}(?=\d{1,9}[→\t])/;

/**
 * Leaves out the blanks before line numbers: every number stays, and so does all behind it. `undefined` where the lines
 * are not numbered in a row, and where there is too little to gain.
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

/** The lines from the first numbered one to the last, if their numbers count up by one. */
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

/** What tools put above a view whose lines are edited by their numbers: `[src/a.ts#F055]`, `[File: a.py (543 lines total)]`. */
const EDITED_BY_NUMBER = /^\[.*\]$/;

/**
 * Leaves the number on the first line, on every fifth and on the last: from these all others can be told. `undefined`
 * where the lines are not numbered in a row, where a line without its number would look as if it had one, and where the
 * agent's own tool wants the numbers back.
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

/** What stands in the mark before its ref. */
export const THIN_MARK_LEAD = "[only every fifth line number is shown · ";
