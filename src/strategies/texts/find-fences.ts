import type { Span } from "../../transcript/refs.ts";
import { ListItems, skipBlanks } from "./list-items.ts";

/**
 * A fenced code block: from the start of its opening line to the end of its closing one, excluding the line break.
 */
export interface Fence extends Span {
  /** The lines between opening and closing line, each with its line break. */
  readonly body: Span;
  /** The text after the opening fence, trimmed: `ts title="a.ts"`. */
  readonly info: string;
}

/**
 * The fenced code blocks of a text, in order, by CommonMark's rules. A fence is three or more backticks or tildes,
 * indented by at most three columns in the list item around it. A line of at least as many of the same character,
 * followed only by blanks, closes it. The info string of a backtick fence has no backtick. A fence that is never
 * closed extends to the end of its item or of the text; it is left out with everything inside it.
 *
 *   "a\n```ts\nb\n```\nc"   ->  [{ from: 2, to: 13, body: { from: 8, to: 10 }, info: "ts" }]
 */
export function findFences(text: string): readonly Fence[] {
  const fences: Fence[] = [];
  const items = new ListItems();
  let open: OpenFence | undefined;
  for (const { from, to, next } of listLines(text)) {
    const { at, column } = skipBlanks(text, from, to, 0);
    if (open && at < to && column < open.base) open = undefined;
    if (open) {
      const closing = column - open.base > 3 ? undefined : readClosing(text, at, to);
      if (!closes(closing, open.fence)) continue;
      fences.push({ from: open.from, to, body: { from: open.body, to: from }, info: open.info });
      open = undefined;
      continue;
    }
    const { start, indent, opensItem } = items.read(text, from, to);
    const opening = indent > 3 ? undefined : readOpening(text, start, to);
    if (opening) open = { from: opensItem ? start : from, ...opening, body: next, base: items.base };
  }
  return fences;
}

interface OpenFence {
  readonly from: number;
  readonly fence: string;
  readonly info: string;
  readonly body: number;
  /**
   * The column at which the text of the list item around it begins. A line that begins before it ends item and
   * fence.
   */
  readonly base: number;
}

const OPENING = /^(?:`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING = /^(`{3,}|~{3,})[ \t]*$/;

/** The fence that a line opens if no other is open; `undefined` if it begins with none. */
export function readOpening(
  text: string,
  start: number,
  to: number,
): { readonly fence: string; readonly info: string } | undefined {
  if (text[start] !== "`" && text[start] !== "~") return undefined;
  const line = text.slice(start, to);
  const fence = OPENING.exec(line)?.[0];
  return fence === undefined ? undefined : { fence, info: line.slice(fence.length).trim() };
}

/** The fence that is all of a line, and may close an open one. */
export function readClosing(text: string, start: number, to: number): string | undefined {
  return text[start] === "`" || text[start] === "~" ? CLOSING.exec(text.slice(start, to))?.[1] : undefined;
}

export function closes(closing: string | undefined, opening: string): boolean {
  return closing !== undefined && closing[0] === opening[0] && closing.length >= opening.length;
}

/** The start and end of each line, and the start of the next. A line ends with `\n`, `\r\n` or `\r`. */
export function* listLines(text: string): Generator<Span & { readonly next: number }> {
  let from = 0;
  for (const { 0: lineBreak, index } of text.matchAll(/\r\n|\n|\r/g)) {
    yield { from, to: index, next: index + lineBreak.length };
    from = index + lineBreak.length;
  }
  yield { from, to: text.length, next: text.length };
}
