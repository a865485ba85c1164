import type { Span } from "../edits/edit.ts";

/** A fenced code block: from the start of its opening line to the end of its closing one, line break not included. */
export interface Fence extends Span {
  /** The lines between the two, each with its line break. */
  readonly body: Span;
  /** What follows the opening fence, trimmed: `ts title="a.ts"`. */
  readonly info: string;
}

/**
 * The fenced code blocks of a text, in order, by CommonMark's rules: three or more backticks or tildes, indented by at
 * most three spaces, closed by at least as many of the same character with nothing but blanks behind them; the info
 * string of a backtick fence holds no backtick. A fence that is never closed gives nothing: CommonMark lets it run to
 * the end, so there is none after it either.
 *
 *   "a\n```ts\nb\n```\nc"   ->  [{ from: 2, to: 13, body: { from: 8, to: 10 }, info: "ts" }]
 */
export function findFences(text: string): readonly Fence[] {
  const fences: Fence[] = [];
  let open:
    | { readonly from: number; readonly fence: string; readonly info: string; body: number }
    | undefined;
  for (const { from, to, next } of listLines(text)) {
    const line = text.slice(from, to);
    if (!open) {
      const opening = readOpening(line);
      if (opening) open = { from, ...opening, body: next };
    } else if (closes(readClosing(line), open.fence)) {
      fences.push({ from: open.from, to, body: { from: open.body, to: from }, info: open.info });
      open = undefined;
    }
  }
  return fences;
}

const OPENING = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

/** The fence that a line would open where none is open. */
export function readOpening(line: string): { readonly fence: string; readonly info: string } | undefined {
  const [start, fence] = OPENING.exec(line) ?? [];
  return fence === undefined ? undefined : { fence, info: line.slice(start?.length).trim() };
}

/** The fence that a line would close one with. */
export function readClosing(line: string): string | undefined {
  return CLOSING.exec(line)?.[1];
}

export function closes(closing: string | undefined, opening: string): boolean {
  return closing !== undefined && closing[0] === opening[0] && closing.length >= opening.length;
}

/** Where each line begins, where it ends, and where the next one begins. A line ends with `\n`, `\r\n` or `\r`. */
export function* listLines(text: string): Generator<Span & { readonly next: number }> {
  let from = 0;
  for (const { 0: lineBreak, index } of text.matchAll(/\r\n|\n|\r/g)) {
    yield { from, to: index, next: index + lineBreak.length };
    from = index + lineBreak.length;
  }
  yield { from, to: text.length, next: text.length };
}
