import { skipString } from "../../basics/skip-string.ts";

/**
 * The places of the values in a JSON text: node 0 is the outermost, and the values inside a value follow it. Field
 * names are nodes too, before their values.
 *
 *   {"a":[1,2],"b":{}}   ->   0 {…}   1 "a"   2 [1,2]   3 1   4 2   5 "b"   6 {}
 *
 * Uses lists of numbers, so that a million values don't need a million objects.
 */
export interface Outline {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** The node after this one and everything inside it. */
  readonly nexts: readonly number[];
}

/**
 * The outline of the value that begins at `from`, to the depth `levels`: deeper values are skipped. The text must
 * be valid JSON. Looks only at the quotes of a string, and at nothing twice; depth needs no stack.
 */
export function outline(text: string, from: number, levels: number): Outline {
  const starts: number[] = [];
  const ends: number[] = [];
  const nexts: number[] = [];
  const open: number[] = [];
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isOpening(code) && open.length < levels) {
      open.push(starts.length);
      starts.push(at);
      ends.push(text.length);
      nexts.push(0);
      at++;
      continue;
    }
    if (isClosing(code)) {
      const node = open.pop();
      if (node === undefined) break;
      at++;
      ends[node] = at;
      nexts[node] = starts.length;
    } else if (isBetween(code)) {
      at++;
      continue;
    } else {
      starts.push(at);
      at = skipValue(text, at);
      ends.push(at);
      nexts.push(starts.length);
    }
    if (open.length === 0) break;
  }
  return { starts, ends, nexts };
}

/** The direct values of a list, or the direct names and values of an object, in turn. */
export function listInside({ nexts }: Outline, node: number): readonly number[] {
  const inside: number[] = [];
  const end = nexts[node] ?? 0;
  for (let each = node + 1; each < end; each = nexts[each] ?? end) inside.push(each);
  return inside;
}

export function readName(text: string, { starts, ends }: Outline, node: number): string {
  const literal = text.slice(starts[node], ends[node]);
  return literal.includes("\\") ? String(JSON.parse(literal)) : literal.slice(1, -1);
}

/** The position after the value that begins here. */
function skipValue(text: string, from: number): number {
  const code = text.charCodeAt(from);
  if (code === QUOTE) return skipString(text, from);
  return isOpening(code) ? skipNested(text, from) : skipWord(text, from);
}

function skipNested(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(text, at);
      continue;
    }
    at++;
    if (isOpening(code)) depth++;
    else if (isClosing(code) && --depth === 0) break;
  }
  return at;
}

/** A number, `true`, `false` or `null`. */
function skipWord(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isBetween(code) || isClosing(code)) break;
    at++;
  }
  return at;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;

/** `[` or `{` */
function isOpening(code: number): boolean {
  return code === 0x5b || code === 0x7b;
}

/** `]` or `}` */
function isClosing(code: number): boolean {
  return code === 0x5d || code === 0x7d;
}

/** White space, commas and colons. */
function isBetween(code: number): boolean {
  return code === 0x20 || code === COMMA || code === COLON || code === 0x0a || code === 0x0d || code === 0x09;
}
