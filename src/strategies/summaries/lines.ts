import { LineSpans } from "../../facts/line-spans.ts";
import { omission } from "./summary.ts";

/** Characters shown of a line. A slightly longer line is shown whole, because the mark would be as long. */
export const LONG_LINE = 400;
const LINE_TOLERANCE = 40;

export function splitLines(text: string): readonly string[] {
  if (text.includes("\r")) return text.replace(/\r?\n$/, "").split(/\r?\n/);
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

/** Cuts very long lines (minified code, base64) down to their start. */
export function capLine(line: string, limit: number = LONG_LINE): string {
  if (line.length <= limit + LINE_TOLERANCE) return line;
  const start = sliceWhole(line, limit);
  return `${start}… [+${line.length - start.length} chars]`;
}

/** The lines of a text, capped. Each is made on demand, because most texts need only a few. */
export class CappedLines {
  readonly spans: LineSpans;
  /** Longer lines are cut. */
  readonly longest: number;
  readonly #limit: number;

  constructor(text: string, limit: number = LONG_LINE) {
    this.spans = new LineSpans(text);
    this.longest = limit + LINE_TOLERANCE;
    this.#limit = limit;
  }

  get length(): number {
    return this.spans.length;
  }

  list(): readonly string[] {
    return Array.from({ length: this.length }, (_, line) => this.at(line));
  }

  isCapped(line: number): boolean {
    return this.spans.to(line) - this.spans.from(line) > this.longest;
  }

  at(line: number): string {
    const { spans } = this;
    return capLine(spans.text.slice(spans.from(line), spans.to(line)), this.#limit);
  }
}

/** The first lines with at most `limit` characters, and the number of omitted lines. A longer first line is cut. */
export function takeHead(text: string, limit: number): { readonly head: string; readonly omitted: number } {
  const lines = splitLines(text);
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    const shown = kept.length === 0 ? capLine(line, Math.min(limit, LONG_LINE)) : line;
    if (kept.length > 0 && length + 1 + shown.length > limit) break;
    length += shown.length + 1;
    kept.push(shown);
  }
  return { head: kept.join("\n"), omitted: lines.length - kept.length };
}

/** Lines in order; a list of strings is one too. */
export interface LineList {
  readonly length: number;
  at(line: number): string | undefined;
}

/** The kept lines, with a line for each gap that says how many are omitted. */
export function renderLines(lines: LineList, isKept: (index: number) => boolean): string {
  const shown: string[] = [];
  let omitted = 0;
  const close = () => {
    if (omitted > 0) shown.push(omission(omitted));
    omitted = 0;
  };
  for (let i = 0; i < lines.length; i++) {
    if (!isKept(i)) omitted++;
    else {
      close();
      shown.push(lines.at(i) ?? "");
    }
  }
  close();
  return shown.join("\n");
}

/** Never splits a surrogate pair. */
function sliceWhole(text: string, end: number): string {
  const code = text.charCodeAt(end - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end);
}
