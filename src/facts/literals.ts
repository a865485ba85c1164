import { type Visit, visitPieces, visitRuns } from "./runs.ts";

/**
 * The literals of a text: names and numbers that mean one particular thing, not words of the language. Each once.
 *
 *   "fix applyRate in src/pricing.ts, see \"late fee\" and TS2345"
 *   ->  applyRate, src/pricing.ts, pricing.ts, late fee, TS2345
 */
export function listLiterals(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const take = (from: number, to: number) => {
    if (isSpecific(text, from, to)) found.add(text.slice(from, to));
  };
  visitRuns(text, 0, text.length, (from, to, isWhole) => {
    if (isWhole) take(from, to);
    else visitPieces(text, from, to, take);
    return false;
  });
  for (const phrase of listPhrases(text)) found.add(phrase);
  return found;
}

/** Literals of other texts. */
export interface Known {
  has(literal: string): boolean;
  /** A quick look; it may be wrong when it says yes. */
  mayHave(text: string, from: number, to: number): boolean;
}

/**
 * Finds the literals of a text, line by line, that are known from other texts, as often as they occur. What it takes is
 * made once for all lines: there are many, and few hold anything.
 */
export function findKnown(text: string, known: Known): (begin: number, end: number) => readonly string[] {
  let found: string[] = [];
  const take = (from: number, to: number) => {
    if (!known.mayHave(text, from, to) || !isSpecific(text, from, to)) return;
    const literal = text.slice(from, to);
    if (known.has(literal)) found.push(literal);
  };
  const visit: Visit = (from, to, isWhole) => {
    if (isWhole) take(from, to);
    else visitPieces(text, from, to, take);
    return false;
  };
  const isQuoting = QUOTE.test(text);
  return (begin, end) => {
    if (found.length > 0) found = [];
    visitRuns(text, begin, end, visit);
    if (!isQuoting) return found;
    for (const phrase of listPhrases(text.slice(begin, end))) if (known.has(phrase)) found.push(phrase);
    return found;
  };
}

/**
 * The longer literals, in their order: paths whole and not in pieces, and no numbers.
 *
 * @param visit is told where the name begins; gives `true` when it has enough
 */
export function visitNames(text: string, visit: (name: string, from: number) => boolean): void {
  visitRuns(text, 0, text.length, (from, to) => {
    if (to - from < SHORTEST_NAME || to - from > LONGEST_NAME || !isSpecific(text, from, to)) return false;
    const name = text.slice(from, to);
    return !/^[\d.-]+$/.test(name) && visit(name, from);
  });
}

const SHORTEST_NAME = 8;
const LONGEST_NAME = 120;

/** Something between quotes or backticks, on one line. */
const QUOTE = /["'`]/;
const QUOTED = /["'`]([^"'`\n]{5,60})["'`]/g;

/** Several words in quotes. */
function listPhrases(text: string): readonly string[] {
  if (!QUOTE.test(text)) return [];
  return [...text.matchAll(QUOTED)].flatMap(([, quoted = ""]) => (quoted.includes(" ") ? quoted.trim() : []));
}

const SHORTEST_NUMBER = 3;
const SHORTEST_NAME_PART = 4;

/** Anything longer is data, not a name. */
const LONGEST_LITERAL = 200;

const SPECIFIC = /[\p{L}\p{N}][/._][\p{L}\p{N}]|[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\d|\d\p{L}/u;

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** `/._` between letters or digits. */
const JOINT = 4;

/** The kinds of the characters below 128 that `SPECIFIC` speaks of; 0: the others. */
const ASCII: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) return LOWER;
  if (/[A-Z]/.test(char)) return UPPER;
  if (/[0-9]/.test(char)) return DIGIT;
  return "/._".includes(char) ? JOINT : 0;
});

/**
 * `pricing.ts`, `apply_rate`, `applyRate`, `TS2345`, `E_FAIL`; numbers of three digits and more. By hand as long as the
 * characters are ASCII: this is asked of every run of a text.
 */
function isSpecific(text: string, from: number, to: number): boolean {
  const length = to - from;
  if (length > LONGEST_LITERAL || length < SHORTEST_NUMBER) return false;
  let before = 0;
  let last = 0;
  let isNumber = true;
  let isFound = false;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return length >= SHORTEST_NAME_PART && SPECIFIC.test(text.slice(from, to));
    const kind = ASCII[code] ?? 0;
    if (kind !== DIGIT) isNumber = false;
    isFound ||= isTelling(before, last, kind);
    before = last;
    last = kind;
  }
  return isNumber || (isFound && length >= SHORTEST_NAME_PART);
}

/** Three kinds of characters in a row as `SPECIFIC` has them. */
function isTelling(before: number, last: number, kind: number): boolean {
  switch (kind) {
    case LOWER:
      return (
        last === DIGIT ||
        (last === UPPER && before === UPPER) ||
        (last === JOINT && before > 0 && before < JOINT)
      );
    case UPPER:
      return last === LOWER || last === DIGIT || (last === JOINT && before > 0 && before < JOINT);
    case DIGIT:
      return last === LOWER || last === UPPER || (last === JOINT && before > 0 && before < JOINT);
    default:
      return false;
  }
}
