import type { LineRange } from "../tool-kinds/tool-use.ts";

/** The lines of a file that a result shows. */
export interface FileText {
  /** The number of the first one. */
  readonly first: number;
  /** Without their numbers. */
  readonly lines: readonly string[];
  readonly numbered: boolean;
  /** What the tool put around them. */
  readonly frame: readonly string[];
}

/** `   12→`, `12\t`, `00012| `, `12: `. */
const NUMBER = /^(?:<(?:content|file)>)? {0,9}(\d{1,9})(?:→|\t|\| ?|: ?)/;

/** What read tools put around the lines of a file. */
const READERS_LINE = /^(?:|<\/?(?:content|file)>|<(?:path|type)>.*|\(.*\))$/;

/**
 * Takes a view of a file apart. Where its lines are not numbered, the range that was asked for says which they are;
 * `undefined` where that counts from the file's end.
 */
export function readFileText(text: string, range: LineRange | undefined): FileText | undefined {
  const all = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  const numbered = readNumbered(all);
  if (numbered) return numbered;
  const first = range?.from ?? 1;
  return first < 1 ? undefined : { first, lines: all, numbered: false, frame: [] };
}

/** One run of lines whose numbers count up; more of them than of others. */
function readNumbered(all: readonly string[]): FileText | undefined {
  const lines: string[] = [];
  const frame: string[] = [];
  let first = 0;
  let ended = false;
  for (const line of all) {
    const [prefix, number] = NUMBER.exec(line) ?? [];
    if (prefix === undefined) {
      ended = lines.length > 0;
      if (!READERS_LINE.test(line)) frame.push(line);
      continue;
    }
    if (lines.length === 0) first = Number(number);
    if (ended || Number(number) !== first + lines.length) return undefined;
    lines.push(line.slice(prefix.length));
  }
  return lines.length > frame.length ? { first, lines, numbered: true, frame } : undefined;
}
