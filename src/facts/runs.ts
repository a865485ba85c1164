const LOWER = 1;
const OTHER = 2;
const CONTINUES = 4;
/** Not part of a run either. */
const QUOTE = 8;

const BEGINS: number = LOWER | OTHER;
const IN_RUN: number = BEGINS | CONTINUES;

/** The kinds of the characters below 128; 0: not part of a run. */
const ASCII: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) return LOWER;
  if (/[A-Z0-9_$]/.test(char)) return OTHER;
  if ("\"'`".includes(char)) return QUOTE;
  return "./@-".includes(char) ? CONTINUES : 0;
});

/** `isWhole`: it has no separators between pieces. Returns `true` to stop. */
export type Visit = (from: number, to: number, isWhole: boolean) => boolean;

/** Shorter runs name nothing. */
const SHORTEST_RUN = 3;

/**
 * The runs of characters in identifiers, paths and numbers, without punctuation at their ends. Short runs and plain
 * lower-case ASCII words are left out. Written by hand: regular expressions would take most of the time of a
 * summary.
 *
 * @param quotes receives the positions of quotes and backticks
 */
export function visitRuns(text: string, begin: number, end: number, visit: Visit, quotes?: number[]): void {
  for (let i = begin; i < end; i++) {
    let kind = kindAt(text, i);
    if ((kind & BEGINS) !== 0) {
      const start = i;
      let kinds = 0;
      while ((kind & IN_RUN) !== 0) {
        kinds |= kind;
        i++;
        kind = i < end ? kindAt(text, i) : 0;
      }
      if (kinds !== LOWER && i - start >= SHORTEST_RUN) {
        const isWhole = (kinds & CONTINUES) === 0;
        if (visit(start, isWhole ? i : endOf(text, start, i), isWhole)) return;
      }
    }
    if (kind === QUOTE) quotes?.push(i);
  }
}

function kindAt(text: string, i: number): number {
  const code = text.charCodeAt(i);
  return code < 128 ? (ASCII[code] ?? 0) : kindBeyondAscii(text, i);
}

/** By code unit beyond ASCII: the kind plus one, or 0 if it is not known yet. */
const queried = new Uint8Array(0x1_0000);

function kindBeyondAscii(text: string, i: number): number {
  const code = text.charCodeAt(i);
  if (code >= 0xd800 && code <= 0xdfff) return kindOf(pointAt(text, i));
  queried[code] ||= 1 + kindOf(code);
  return (queried[code] ?? 1) - 1;
}

/** The code point at a code unit; for the second half of a surrogate pair, the pair's. */
function pointAt(text: string, i: number): number {
  const before = i > 0 ? (text.codePointAt(i - 1) ?? 0) : 0;
  return before > 0xffff ? before : (text.codePointAt(i) ?? 0);
}

function kindOf(point: number): number {
  return /[\p{L}\p{N}]/u.test(String.fromCodePoint(point)) ? OTHER : 0;
}

function endOf(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && ASCII[text.charCodeAt(last - 1)] === CONTINUES) last--;
  return last;
}

/** The pieces of a run: the name at the end of a path, and the text between dots, slashes and dashes. */
export function visitPieces(
  text: string,
  from: number,
  to: number,
  visit: (from: number, to: number) => void,
): void {
  let slash = -1;
  let breaks = 0;
  for (let i = from; i < to; i++) {
    if (!isBreak(text.charCodeAt(i))) continue;
    breaks++;
    if (text.charCodeAt(i) === SLASH) slash = i;
  }
  if (breaks === 0) return;
  if (slash >= 0) visit(slash + 1, to);
  let start = from;
  for (let i = from; i <= to; i++) {
    if (i < to && !isBreak(text.charCodeAt(i))) continue;
    if (i > start) visit(start, i);
    start = i + 1;
  }
}

const SLASH = "/".charCodeAt(0);
const DOT = ".".charCodeAt(0);
const DASH = "-".charCodeAt(0);

function isBreak(code: number): boolean {
  return code === SLASH || code === DOT || code === DASH;
}
