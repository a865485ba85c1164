import type { ShownText } from "./shown-text.ts";

/** A passage similar to the pattern. */
export interface SimilarPassage {
  readonly text: ShownText;
  /** From 1. */
  readonly line: number;
  readonly passage: string;
  /** Share of the pattern's trigrams that it contains. */
  readonly score: number;
}

/** The lowest score that is reported. */
const LEAST_LIKENESS = 0.5;
const MOST_PASSAGES = 3;
/** In characters. Longer lines are compared in pieces that overlap by half. */
const PIECE_LENGTH = 200;
/** Only this many characters of a pattern's longest line are compared. */
const PATTERN_LENGTH = 120;

/**
 * The lines with the most trigrams of a pattern, best first. Ignores case and the amount of white space. Takes one
 * pass over the texts.
 */
export function findSimilar(texts: readonly ShownText[], pattern: string): readonly SimilarPassage[] {
  const wanted = new Trigrams(pickLine(pattern).slice(0, PATTERN_LENGTH));
  const best: SimilarPassage[] = [];
  for (const text of texts) {
    let line = 0;
    for (let from = 0; from <= text.text.length; ) {
      const end = text.text.indexOf("\n", from);
      const to = end < 0 ? text.text.length : end;
      line++;
      for (let at = from; at === from || at + PIECE_LENGTH / 2 < to; at += PIECE_LENGTH / 2) {
        const until = Math.min(to, at + PIECE_LENGTH);
        const score = wanted.share(text.text, at, until);
        if (score < LEAST_LIKENESS || score <= (best[MOST_PASSAGES - 1]?.score ?? 0)) continue;
        insert(best, { text, line, passage: text.text.slice(at, until).trim().toWellFormed(), score });
      }
      from = to + 1;
    }
  }
  return best;
}

/** Inserts a passage by its score. Only the best piece of each line is kept. */
function insert(best: SimilarPassage[], passage: SimilarPassage): void {
  const known = best.findIndex(({ text, line }) => text === passage.text && line === passage.line);
  if (known >= 0 && (best[known]?.score ?? 0) >= passage.score) return;
  if (known >= 0) best.splice(known, 1);
  const at = best.findIndex(({ score }) => score < passage.score);
  best.splice(at < 0 ? best.length : at, 0, passage);
  best.length = Math.min(best.length, MOST_PASSAGES);
}

function pickLine(pattern: string): string {
  let longest = "";
  for (const line of pattern.split("\n")) if (line.trim().length > longest.length) longest = line.trim();
  return longest;
}

/** Slots for hashes of trigrams. A pattern has at most `PATTERN_LENGTH` trigrams, so two seldom share a slot. */
const SLOTS = 4096;

/** The trigrams of one text, for comparison with others. */
class Trigrams {
  /** By slot, the number of the trigram from 1; 0 for none. */
  readonly #numbers = new Uint8Array(SLOTS);
  /** By number, the comparison in which it was last seen. */
  readonly #seen = new Float64Array(PATTERN_LENGTH + 1);
  #count = 0;
  #comparison = 0;

  constructor(text: string) {
    this.#visit(text, 0, text.length, (slot) => {
      if (this.#numbers[slot] === 0) this.#numbers[slot] = ++this.#count;
    });
  }

  /** The share of the trigrams that a stretch of text contains, from 0 to 1. */
  share(text: string, from: number, to: number): number {
    if (this.#count === 0 || to - from < this.#count * LEAST_LIKENESS) return 0;
    const comparison = ++this.#comparison;
    let shared = 0;
    this.#visit(text, from, to, (slot) => {
      const number = this.#numbers[slot] ?? 0;
      if (number === 0 || this.#seen[number] === comparison) return;
      this.#seen[number] = comparison;
      shared++;
    });
    return shared / this.#count;
  }

  #visit(text: string, from: number, to: number, visit: (slot: number) => void): void {
    let a = 0;
    let b = 0;
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i);
      const c = code <= 32 ? 32 : code >= 65 && code <= 90 ? code + 32 : code;
      if (c === 32 && b === 32) continue;
      if (a !== 0) visit((Math.imul(a, 961) + Math.imul(b, 31) + c) & (SLOTS - 1));
      a = b;
      b = c;
    }
  }
}
