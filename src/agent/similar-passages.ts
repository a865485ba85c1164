import type { ShownText } from "./shown-text.ts";

/** A passage that is nearly what was looked for. */
export interface SimilarPassage {
  readonly text: ShownText;
  /** From 1. */
  readonly line: number;
  readonly passage: string;
  /** Share of the pattern's trigrams that it has. */
  readonly score: number;
}

/** Passages with less in common are no help. */
const LEAST = 0.5;
const MOST = 3;
/** Longer lines are looked at in pieces that overlap by half. */
const PIECE = 200;
/** A pattern of several lines is known by its longest, and that by its start. */
const PATTERN = 120;

/**
 * The lines that have most trigrams in common with a pattern, best first; capitals and the amount of white space do not
 * count. One pass over the texts.
 */
export function findSimilar(texts: readonly ShownText[], pattern: string): readonly SimilarPassage[] {
  const wanted = listTrigrams(normalize(pickLine(pattern)).slice(0, PATTERN));
  if (wanted.size === 0) return [];
  const best: SimilarPassage[] = [];
  for (const text of texts) {
    const lines = text.text.split("\n");
    for (const [i, line] of lines.entries()) {
      for (let at = 0; at === 0 || at + PIECE / 2 < line.length; at += PIECE / 2) {
        const piece = line.slice(at, at + PIECE);
        const score = share(normalize(piece), wanted);
        if (score < LEAST || score <= (best[MOST - 1]?.score ?? 0)) continue;
        insert(best, { text, line: i + 1, passage: piece.trim().toWellFormed(), score });
      }
    }
  }
  return best;
}

function insert(best: SimilarPassage[], passage: SimilarPassage): void {
  if (best.some(({ text, line }) => text === passage.text && line === passage.line)) return;
  const at = best.findIndex(({ score }) => score < passage.score);
  best.splice(at < 0 ? best.length : at, 0, passage);
  best.length = Math.min(best.length, MOST);
}

function pickLine(pattern: string): string {
  let longest = "";
  for (const line of pattern.split("\n")) if (line.trim().length > longest.length) longest = line.trim();
  return longest;
}

function normalize(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}

function listTrigrams(text: string): ReadonlySet<string> {
  const trigrams = new Set<string>();
  for (let i = 0; i + 3 <= text.length; i++) trigrams.add(text.slice(i, i + 3));
  return trigrams;
}

function share(text: string, wanted: ReadonlySet<string>): number {
  if (text.length < wanted.size * LEAST) return 0;
  let shared = 0;
  for (const trigram of listTrigrams(text)) if (wanted.has(trigram)) shared++;
  return shared / wanted.size;
}
