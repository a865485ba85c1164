import type { Ref } from "../transcript/refs.ts";
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
  const lines = text.split("\n");
  const first = lines.findIndex((line) => findNumber(line) !== undefined);
  const last = lines.findLastIndex((line) => findNumber(line) !== undefined);
  if (first < 0 || last - first + 1 < LEAST_LINES) return undefined;
  if (lines.slice(0, first).some((line) => EDITED_BY_NUMBER.test(line))) return undefined;
  const start = findNumber(lines[first] ?? "")?.number ?? 0;
  const thin: string[] = [];
  for (let i = first; i <= last; i++) {
    const line = lines[i] ?? "";
    const found = findNumber(line);
    if (found?.number !== start + i - first) return undefined;
    const own = line.slice(found.length);
    if (findNumber(own)) return undefined;
    thin.push(i === first || i === last || found.number % 5 === 0 ? line : own);
  }
  return {
    numbered: lines.slice(first, last + 1).join("\n"),
    render: (ref) =>
      [...lines.slice(0, first), `${THIN_MARK_LEAD}${ref}]`, ...thin, ...lines.slice(last + 1)].join("\n"),
  };
}

/** What stands in the mark before its ref. */
export const THIN_MARK_LEAD = "[only every fifth line number is shown · ";
