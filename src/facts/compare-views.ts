import { type Difference, diffLines } from "./diff-lines.ts";
import type { FileText } from "./file-text.ts";

/** Does the earlier view show exactly these lines? Not if only the newer one numbers them. */
export function isShownIn(copy: FileText, again: FileText): boolean {
  const offset = again.first - copy.first;
  if (offset < 0 || offset + again.lines.length > copy.lines.length) return false;
  return hasForm(copy, again) && again.lines.every((line, i) => line === copy.lines[offset + i]);
}

/** Does the earlier view also have the line numbers and notes of the newer one? */
export function hasForm(copy: FileText, again: FileText): boolean {
  if (again.numbered && !copy.numbered) return false;
  const known = new Set(copy.frame);
  return again.frame.every((line) => known.has(line));
}

/** Lines shown around a change. */
const CONTEXT = 1;

/**
 * The differences from the earlier view, as a unified diff; `undefined` if the two do not begin with the same line.
 */
export function writeChanges(copy: FileText, again: FileText): string | undefined {
  if (copy.first !== again.first || !hasForm(copy, again)) return undefined;
  const hunks = groupNearby(diffLines(copy.lines, again.lines));
  return hunks.map((hunk) => writeHunk(copy, again, hunk).join("\n")).join("\n");
}

type Hunk = readonly [Difference, ...Difference[]];

/** Differences whose surrounding lines touch are shown together. */
function groupNearby(differences: readonly Difference[]): readonly Hunk[] {
  const hunks: [Difference, ...Difference[]][] = [];
  for (const difference of differences) {
    const last = hunks.at(-1);
    const end = last?.at(-1)?.new.to ?? Number.NEGATIVE_INFINITY;
    if (last && difference.new.from - end <= 2 * CONTEXT) last.push(difference);
    else hunks.push([difference]);
  }
  return hunks;
}

function writeHunk(copy: FileText, again: FileText, hunk: Hunk): readonly string[] {
  const [first] = hunk;
  const last = hunk.at(-1) ?? first;
  const lead = Math.min(CONTEXT, first.new.from);
  const trail = Math.min(CONTEXT, again.lines.length - last.new.to);
  const header = (sign: string, start: number, from: number, to: number) =>
    `${sign}${start + from - lead},${to - from + lead + trail}`;
  const body: string[] = [];
  let at = first.new.from - lead;
  for (const { old, new: now } of hunk) {
    body.push(
      ...again.lines.slice(at, now.from).map((line) => ` ${line}`),
      ...copy.lines.slice(old.from, old.to).map((line) => `-${line}`),
      ...again.lines.slice(now.from, now.to).map((line) => `+${line}`),
    );
    at = now.to;
  }
  body.push(...again.lines.slice(at, at + trail).map((line) => ` ${line}`));
  const removed = header("-", copy.first, first.old.from, last.old.to);
  const added = header("+", again.first, first.new.from, last.new.to);
  return [`@@ ${removed} ${added} @@`, ...body];
}
