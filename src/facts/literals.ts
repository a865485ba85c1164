import { visitPieces, visitRuns } from "./runs.ts";

/**
 * The literals of a text: names and numbers that mean one particular thing, not words of the language. Each once.
 *
 *   "fix applyRate in src/pricing.ts, see \"late fee\" and TS2345"
 *   ->  applyRate, src/pricing.ts, pricing.ts, late fee, TS2345
 */
export function listLiterals(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  visitRuns(text, (from, to) => {
    visitPieces(text, from, to, (start, end) => {
      const literal = text.slice(start, end);
      if (isSpecific(literal)) found.add(literal);
      return undefined;
    });
    return undefined;
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

/** The literals of a text that are known from other texts, as often as they occur. */
export function findKnown(text: string, known: Known): readonly string[] {
  const found: string[] = [];
  visitRuns(text, (from, to) => {
    visitPieces(text, from, to, (start, end) => {
      if (!known.mayHave(text, start, end)) return undefined;
      const literal = text.slice(start, end);
      if (known.has(literal) && isSpecific(literal)) found.push(literal);
      return undefined;
    });
    return undefined;
  });
  for (const phrase of listPhrases(text)) if (known.has(phrase)) found.push(phrase);
  return found;
}

/**
 * The longer literals, in their order: paths whole and not in pieces, and no numbers.
 *
 * @param visit gives `true` when it has enough
 */
export function visitNames(text: string, visit: (name: string) => boolean): void {
  visitRuns(text, (from, to) => {
    if (to - from < SHORTEST_NAME || to - from > LONGEST_NAME) return false;
    const name = text.slice(from, to);
    return !/^[\d.-]+$/.test(name) && isSpecific(name) && visit(name);
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

/** Anything longer is data, not a name. */
const LONGEST_LITERAL = 200;

const SPECIFIC = /[\p{L}\p{N}][/._][\p{L}\p{N}]|[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\d|\d\p{L}/u;

/** `pricing.ts`, `apply_rate`, `applyRate`, `TS2345`, `E_FAIL`; numbers of three digits and more. */
function isSpecific(literal: string): boolean {
  if (literal.length > LONGEST_LITERAL) return false;
  if (/^\d+$/.test(literal)) return literal.length >= SHORTEST_NUMBER;
  return literal.length >= 4 && SPECIFIC.test(literal);
}
