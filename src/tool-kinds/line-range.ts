import type { LineRange } from "./tool-use.ts";

/**
 * Does the newer view show every line that the older one showed?
 *
 *   whole file  covers  anything
 *   1–200       covers  100–200, not 150–250
 *   last 50     covers  last 20; compared with counted lines, no, because the file's length is unknown
 */
export function coversRange(newer: LineRange | undefined, older: LineRange | undefined): boolean {
  if (!newer) return true;
  if (!older) return false;
  if (newer.from < 0 !== older.from < 0) return false;
  return newer.from <= older.from && (newer.to ?? Infinity) >= (older.to ?? Infinity);
}

/**
 * The lines `inner` of the output of `outer`, as lines of the file: `sed -n 11,90p a | head -n 20` shows 11–30.
 * `unknown` if that depends on the file's length.
 */
export function narrowRange(
  outer: LineRange | undefined,
  inner: LineRange | undefined,
): LineRange | undefined | "unknown" {
  if (!outer || !inner) return outer ?? inner;
  if (inner.from < 0) return outer.from > 0 && outer.to === undefined ? inner : "unknown";
  if (outer.from < 0) return "unknown";
  const from = outer.from + inner.from - 1;
  const ends = [outer.to, inner.to === undefined ? undefined : outer.from + inner.to - 1];
  return makeRange(from, Math.min(...ends.map((end) => end ?? Infinity)));
}

/** `undefined` for the whole file. An end of -1, or no end, is the file's end. */
export function makeRange(from: number | undefined, to: number | undefined): LineRange | undefined {
  const start = Math.max(1, Math.trunc(from ?? 1));
  if (to === undefined || to < 0 || to === Infinity) return start === 1 ? undefined : { from: start };
  return { from: start, to: Math.max(start, Math.trunc(to)) };
}
