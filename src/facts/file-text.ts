import type { LineRange } from "../tool-kinds/tool-use.ts";

/** The lines of a file that a result shows. */
export interface FileText {
  /** The number of the first line. */
  readonly first: number;
  /** Without their numbers. */
  readonly lines: readonly string[];
  readonly numbered: boolean;
  /** The tool's own lines around them. */
  readonly frame: readonly string[];
}

/** `   12→`, `12\t`, `00012| `, `12: `. */
const NUMBER = /^(?:<(?:content|file)>)? {0,9}(\d{1,9})(?:→|\t|\| ?|: ?)/;

/** The number at the start of a line, and its length including separators. */
export function findNumber(line: string): { readonly number: number; readonly length: number } | undefined {
  const [prefix, number] = NUMBER.exec(line) ?? [];
  return prefix === undefined ? undefined : { number: Number(number), length: prefix.length };
}

/** Says that the numbers of most lines were left out: see `thinNumbers`. */
const THIN_MARK = /^\[only every fifth line number is shown · [0-9a-f]{6}\]$/;

/** Lines that read tools add around the lines of a file. */
const READERS_LINE = /^(?:|<\/?(?:content|file)>|<(?:path|type)>.*|\(.*\))$/;

/**
 * Parses a view of a file. If its lines are not numbered, the requested range gives their numbers; `undefined` if
 * that range counts from the file's end.
 */
export function readFileText(text: string, range: LineRange | undefined): FileText | undefined {
  const all = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  const numbered = readNumbered(all);
  if (numbered) return numbered;
  const first = range?.from ?? 1;
  return first < 1 ? undefined : { first, lines: all, numbered: false, frame: [] };
}

/**
 * One run of lines with consecutive numbers, longer than the other lines together. If a mark says so, most numbers
 * may be missing.
 */
function readNumbered(all: readonly string[]): FileText | undefined {
  const isThin = all.some((line) => THIN_MARK.test(line));
  const last = isThin ? all.findLastIndex((line) => findNumber(line) !== undefined) : -1;
  const lines: string[] = [];
  const frame: string[] = [];
  let first = 0;
  let ended = false;
  for (const [i, line] of all.entries()) {
    const found = findNumber(line);
    if (found === undefined && lines.length > 0 && i < last) {
      lines.push(line);
      continue;
    }
    if (found === undefined) {
      ended = lines.length > 0;
      if (!READERS_LINE.test(line) && !THIN_MARK.test(line)) frame.push(line);
      continue;
    }
    if (lines.length === 0) first = found.number;
    if (ended || found.number !== first + lines.length) return undefined;
    lines.push(line.slice(found.length));
  }
  return lines.length > frame.length ? { first, lines, numbered: true, frame } : undefined;
}
