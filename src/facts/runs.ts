const LOWER = 1;
const OTHER = 2;
const CONTINUES = 3;

/** The kinds of the characters below 128; 0: not part of a run. */
const ASCII: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) return LOWER;
  if (/[A-Z0-9_$]/.test(char)) return OTHER;
  return "./@-".includes(char) ? CONTINUES : 0;
});

/** `isWhole`: it has nothing that pieces stand between. Gives `true` to stop. */
export type Visit = (from: number, to: number, isWhole: boolean) => boolean;

/** Shorter runs name nothing. */
const SHORTEST_RUN = 3;

/**
 * The runs of characters that identifiers, paths and numbers are made of, without punctuation at their ends. Short runs
 * and plain lower-case ASCII words are left out. By hand: regular expressions would take most of the time of a summary.
 */
export function visitRuns(text: string, begin: number, end: number, visit: Visit): void {
  let start = -1;
  let isPlain = true;
  let isWhole = true;
  for (let i = begin; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 0;
    const kind = code < 128 ? (ASCII[code] ?? 0) : kindBeyondAscii(text, i);
    if (start < 0) {
      if (kind === 0 || kind === CONTINUES) continue;
      start = i;
      isPlain = kind === LOWER;
      isWhole = true;
    } else if (kind === 0) {
      if (!isPlain && i - start >= SHORTEST_RUN) {
        const last = isWhole ? i : endOf(text, start, i);
        if (visit(start, last, isWhole)) return;
      }
      start = -1;
    } else if (kind !== LOWER) {
      isPlain = false;
      if (kind === CONTINUES) isWhole = false;
    }
  }
}

/** By code unit beyond ASCII: the kind plus one, or 0 where it was not asked for yet. */
const asked = new Uint8Array(0x1_0000);

function kindBeyondAscii(text: string, i: number): number {
  const code = text.charCodeAt(i);
  if (code >= 0xd800 && code <= 0xdfff) return kindOf(pointAt(text, i));
  asked[code] ||= 1 + kindOf(code);
  return (asked[code] ?? 1) - 1;
}

/** The code point at a code unit; for the second half of a surrogate pair, that of the pair. */
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

/** The run itself, the name at the end of a path, and what stands between dots, slashes and dashes. */
export function visitPieces(
  text: string,
  from: number,
  to: number,
  visit: (from: number, to: number) => void,
): void {
  visit(from, to);
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
