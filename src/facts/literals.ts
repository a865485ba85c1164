import { rememberNewest } from "../basics/remember.ts";
import type { Leaf } from "../transcript/part.ts";
import type { LineSpans } from "./line-spans.ts";
import { visitPieces, visitRuns } from "./runs.ts";

type Places = ArrayLike<number>;

/** The places of the literals of a text. */
export interface LiteralPlaces {
  /** Pairs, in order: twice the start of a literal, plus one if it is a name (see `isName`), and its end. */
  readonly runs: Places;
  /** Pairs: the start and the end of several words in quotes. */
  readonly phrases: Places;
}

/**
 * The literals of a text: names and numbers that mean one particular thing, not words of the language.
 *
 *   "fix applyRate in src/pricing.ts, see \"late fee\" and TS2345"
 *   ->  applyRate, src/pricing.ts, pricing.ts, TS2345; late fee
 */
export function findLiterals(text: string): LiteralPlaces {
  const runs: number[] = [];
  const quotes: number[] = [];
  const take = (from: number, to: number) => {
    if (isSpecific(text, from, to)) runs.push(2 * from, to);
  };
  const visit = (from: number, to: number, isWhole: boolean) => {
    if (isSpecific(text, from, to)) runs.push(2 * from + (isName(text, from, to) ? 1 : 0), to);
    if (!isWhole) visitPieces(text, from, to, take);
    return false;
  };
  visitRuns(text, 0, text.length, visit, quotes);
  return { runs: toPlaces(runs), phrases: toPlaces(listPhrases(text, quotes)) };
}

const NO_PLACES: Places = [];

/** Fewer places than this need less memory in a plain list. */
const MANY_PLACES = 128;

function toPlaces(places: readonly number[]): Places {
  if (places.length === 0) return NO_PLACES;
  return places.length < MANY_PLACES ? places.slice() : new Int32Array(places);
}

/** Texts whose literals are kept: those of the newest steps, which passes look at next. */
const TEXTS_KEPT = 16;

/** A text is looked through when it comes, and again only if it is looked at much later. */
export const literalsOf: (leaf: Leaf) => LiteralPlaces = rememberNewest(
  ({ text }) => findLiterals(text),
  TEXTS_KEPT,
);

/** Visits the literals, some of them more than once. */
export function visitLiterals(
  text: string,
  { runs, phrases }: LiteralPlaces,
  visit: (literal: string) => void,
): void {
  for (let i = 0; i < runs.length; i += 2) visit(text.slice((runs[i] ?? 0) >> 1, runs[i + 1]));
  for (let i = 0; i < phrases.length; i += 2) visit(text.slice(phrases[i], phrases[i + 1]));
}

export function listLiterals(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  visitLiterals(text, findLiterals(text), (literal) => found.add(literal));
  return found;
}

/** Literals of other texts. */
export interface Known {
  has(literal: string): boolean;
  /** A quick check; `true` may be wrong. */
  mayHave(text: string, from: number, to: number): boolean;
}

/** Known literals of a text, each as often as it occurs, with its line. Line by line, phrases after the others. */
export interface KnownInLines {
  readonly literals: readonly string[];
  readonly lines: readonly number[];
}

/** @param longest longer lines are left out */
export function findKnown(
  spans: LineSpans,
  { runs, phrases }: LiteralPlaces,
  known: Known,
  longest: number,
): KnownInLines {
  const found = listKnown(spans, runs, 1, known, longest);
  const quoted = phrases.length === 0 ? found : listKnown(spans, phrases, 0, known, longest);
  return quoted === found || quoted.lines.length === 0 ? found : mergeLines(found, quoted);
}

/** @param shift of each start */
function listKnown(
  spans: LineSpans,
  places: Places,
  shift: 0 | 1,
  known: Known,
  longest: number,
): KnownInLines {
  const { text } = spans;
  const literals: string[] = [];
  const lines: number[] = [];
  let line = 0;
  for (let i = 0; i < places.length; i += 2) {
    const from = (places[i] ?? 0) >> shift;
    const to = places[i + 1] ?? 0;
    if (!known.mayHave(text, from, to)) continue;
    const literal = text.slice(from, to);
    if (!known.has(literal)) continue;
    while (line + 1 < spans.length && spans.from(line + 1) <= from) line++;
    if (spans.to(line) - spans.from(line) > longest) continue;
    literals.push(literal);
    lines.push(line);
  }
  return { literals, lines };
}

/** Line by line, those of `first` before those of `second`. */
export function mergeLines(first: KnownInLines, second: KnownInLines): KnownInLines {
  const literals: string[] = [];
  const lines: number[] = [];
  let next = 0;
  const take = (from: KnownInLines, i: number) => {
    literals.push(from.literals[i] ?? "");
    lines.push(from.lines[i] ?? 0);
  };
  for (let i = 0; i < second.lines.length; i++) {
    while (next < first.lines.length && (first.lines[next] ?? 0) <= (second.lines[i] ?? 0))
      take(first, next++);
    take(second, i);
  }
  while (next < first.lines.length) take(first, next++);
  return { literals, lines };
}

/** By name, in the order of the text: the position of its first occurrence. */
export type Names = ReadonlyMap<string, number>;

export function findNames(text: string): Names {
  const names = new Map<string, number>();
  visitNames(text, (name, from) => {
    if (!names.has(name)) names.set(name, from);
    return false;
  });
  return names;
}

/**
 * The longer literals, in order: whole paths and not their pieces, and no numbers.
 *
 * @param visit gets the position of the name; returns `true` to stop
 */
export function visitNames(text: string, visit: (name: string, from: number) => boolean): void {
  visitRuns(
    text,
    0,
    text.length,
    (from, to) => isName(text, from, to) && isSpecific(text, from, to) && visit(text.slice(from, to), from),
  );
}

const SHORTEST_NAME = 8;
const LONGEST_NAME = 120;

/** Is a whole literal a name? True for standalone names, not for numbers or dates. */
function isName(text: string, from: number, to: number): boolean {
  if (to - from < SHORTEST_NAME || to - from > LONGEST_NAME) return false;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if ((code < 48 || code > 57) && code !== 45 && code !== 46) return true;
  }
  return false;
}

const SHORTEST_QUOTED = 5;
const LONGEST_QUOTED = 60;

/**
 * Several words between quotes or backticks, on one line, without blanks at their ends. A quote that ends one does
 * not begin another.
 *
 * @param quotes the positions of quotes
 */
function listPhrases(text: string, quotes: readonly number[]): readonly number[] {
  const phrases: number[] = [];
  let open = -1;
  for (const close of quotes) {
    const from = open + 1;
    const length = close - from;
    open = open < 0 || length < SHORTEST_QUOTED || length > LONGEST_QUOTED ? close : -1;
    if (open >= 0) continue;
    const quoted = text.slice(from, close);
    if (quoted.includes("\n")) open = close;
    else if (quoted.includes(" ")) {
      const start = close - quoted.trimStart().length;
      phrases.push(start, start + quoted.trim().length);
    }
  }
  return phrases;
}

const SHORTEST_NUMBER = 3;
const SHORTEST_NAME_PART = 4;

/** Longer text is data, not a name. */
const LONGEST_LITERAL = 200;

const SPECIFIC = /[\p{L}\p{N}][/._][\p{L}\p{N}]|[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\d|\d\p{L}/u;

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** `/._` between letters or digits. */
const JOINT = 4;

/** The kinds of the characters below 128 in `SPECIFIC`; 0: the others. */
const ASCII: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) return LOWER;
  if (/[A-Z]/.test(char)) return UPPER;
  if (/[0-9]/.test(char)) return DIGIT;
  return "/._".includes(char) ? JOINT : 0;
});

/**
 * `pricing.ts`, `apply_rate`, `applyRate`, `TS2345`, `E_FAIL`; numbers of three digits and more. Written by hand
 * for ASCII characters, because it runs for every run of a text.
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

/** Three kinds of characters in a row that `SPECIFIC` contains. */
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
