import type { ShownText } from "./shown-text.ts";

/**
 * Patterns are indexed by pieces of this many characters. The longer one of the agent's start and end has at least
 * as many.
 */
const PIECE_LENGTH = 16;

/** Fewer patterns need no index: all texts are searched for each. */
const FEW_PATTERNS = 16;

/** Slots for hashes of pieces. Most places in a text hit an empty slot. */
const SLOTS = 1 << 16;
const BASE = 31;

/**
 * Returns which texts may contain all of some patterns: those that contain their rarest piece. The texts are read
 * once, however many patterns there are.
 */
export function indexPatterns(
  texts: readonly ShownText[],
  patterns: readonly string[],
): (patterns: readonly string[]) => readonly ShownText[] {
  if (patterns.length < FEW_PATTERNS) return () => texts;
  const holding = new Map(patterns.flatMap(cutPieces).map((piece): [string, ShownText[]] => [piece, []]));
  const slots = new Uint8Array(SLOTS);
  for (const piece of holding.keys()) {
    visitHashes(piece, (slot) => {
      slots[slot] = 1;
    });
  }
  for (const text of texts) {
    visitHashes(text.text, (slot, from) => {
      if (slots[slot] === 0) return;
      const found = holding.get(text.text.slice(from, from + PIECE_LENGTH));
      if (found && found.at(-1) !== text) found.push(text);
    });
  }
  return (wanted) =>
    wanted
      .flatMap(cutPieces)
      .map((piece) => holding.get(piece) ?? texts)
      .reduce((rarest, each) => (each.length < rarest.length ? each : rarest), texts);
}

/** The pieces of a pattern, one after another, and its last characters; empty if it is shorter than a piece. */
function cutPieces(pattern: string): readonly string[] {
  const last = pattern.length - PIECE_LENGTH;
  const pieces: string[] = [];
  for (let from = 0; from < last; from += PIECE_LENGTH) pieces.push(pattern.slice(from, from + PIECE_LENGTH));
  if (last >= 0) pieces.push(pattern.slice(last));
  return pieces;
}

/** Visits the slot of every stretch of `PIECE_LENGTH` characters. A rolling hash: each is computed from the last. */
function visitHashes(text: string, visit: (slot: number, from: number) => void): void {
  let leaving = 1;
  for (let i = 0; i < PIECE_LENGTH; i++) leaving = Math.imul(leaving, BASE);
  let hash = 0;
  for (let i = 0; i < text.length; i++) {
    hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0;
    if (i >= PIECE_LENGTH) hash = (hash - Math.imul(leaving, text.charCodeAt(i - PIECE_LENGTH))) | 0;
    if (i >= PIECE_LENGTH - 1) visit((hash ^ (hash >>> 16)) & (SLOTS - 1), i - PIECE_LENGTH + 1);
  }
}
