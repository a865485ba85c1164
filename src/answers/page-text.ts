/** Hosts cut off a result at 2,000 lines or 50 KB. This leaves room for the lines around the text. */
const PAGE_LINES = 1_990;
const PAGE_BYTES = 50_000;

/** Where a page begins: a line from 1, and a character in it from 0. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** A range of lines that an agent requests; without `to`, up to the end. */
export interface LineRequest extends Position {
  readonly to?: number;
}

export interface Page {
  readonly text: string;
  /** The last line shown, perhaps only in part. */
  readonly last: number;
  /** Where the next page begins; `undefined` if this is the last. */
  readonly next: Position | undefined;
}

/**
 * Reads `10-40`, `10-`, `10`, and the position that a page gives for the next one: `10@48000-`, from character
 * 48,000 of line 10 on. `undefined` for anything else.
 */
export function readLines(text: string): LineRequest | undefined {
  const [, line, character, dash, to] = LINE_REQUEST.exec(text.trim()) ?? [];
  if (line === undefined || Number(line) < 1) return undefined;
  const from = { line: Number(line), character: Number(character ?? 0) };
  if (!dash) return { ...from, to: from.line };
  if (to === undefined) return from;
  return Number(to) < from.line ? undefined : { ...from, to: Number(to) };
}

const LINE_REQUEST = /^(\d+)(?:@(\d+))?(?:\s*(-)\s*(\d+)?)?$/;

/** The lines that fit into one result. */
export function takePage(lines: readonly string[], { line, character, to }: LineRequest): Page {
  const end = Math.min(to ?? lines.length, lines.length);
  const taken: string[] = [];
  let bytes = 0;
  for (let i = line; i <= end; i++) {
    const text = (lines[i - 1] ?? "").slice(i === line ? character : 0);
    const size = countBytes(text) + 1;
    if (taken.length === PAGE_LINES || (bytes + size > PAGE_BYTES && taken.length > 0))
      return { text: taken.join("\n"), last: i - 1, next: { line: i, character: 0 } };
    if (size > PAGE_BYTES) {
      const part = takeBytes(text, PAGE_BYTES - 1);
      const at = (i === line ? character : 0) + part.length;
      return { text: part, last: i, next: { line: i, character: at } };
    }
    taken.push(text);
    bytes += size;
  }
  return { text: taken.join("\n"), last: end, next: undefined };
}

/** The bytes of a text in UTF-8. */
function countBytes(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) bytes += bytesOf(text.charCodeAt(i));
  return bytes;
}

/** The longest start of a text with at most this many bytes that splits no character. */
function takeBytes(text: string, most: number): string {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    bytes += bytesOf(text.charCodeAt(i));
    if (bytes > most) return text.slice(0, isLowSurrogate(text.charCodeAt(i)) ? i - 1 : i);
  }
  return text;
}

/** Each half of a surrogate pair counts half of its four bytes. */
function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  return code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
