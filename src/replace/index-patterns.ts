import type { ShownText } from "./shown-text.ts";

/** Patterns are known by pieces of so many characters; an agent's longer one has at least that. */
const PIECE = 16;

/** Fewer are looked for one after the other. */
const FEW = 16;

/** Pieces by their hash: at most places in a text there is none. */
const SLOTS = 1 << 16;
const BASE = 31;

/**
 * Says in which texts all of some patterns may stand: those that hold the rarest piece of them. However many patterns
 * there are, the texts are gone through once.
 */
export function indexPatterns(
  texts: readonly ShownText[],
  patterns: readonly string[],
): (patterns: readonly string[]) => readonly ShownText[] {
  if (patterns.length < FEW) return () => texts;
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
      const found = holding.get(text.text.slice(from, from + PIECE));
      if (found && found.at(-1) !== text) found.push(text);
    });
  }
  return (wanted) =>
    wanted
      .flatMap(cutPieces)
      .map((piece) => holding.get(piece) ?? texts)
      .reduce((rarest, each) => (each.length < rarest.length ? each : rarest), texts);
}

/** One after the other, and the last; none of a short pattern. */
function cutPieces(pattern: string): readonly string[] {
  const last = pattern.length - PIECE;
  const pieces: string[] = [];
  for (let from = 0; from < last; from += PIECE) pieces.push(pattern.slice(from, from + PIECE));
  if (last >= 0) pieces.push(pattern.slice(last));
  return pieces;
}

/** The slot of every stretch of `PIECE` characters, each made from the one before it. */
function visitHashes(text: string, visit: (slot: number, from: number) => void): void {
  let leaving = 1;
  for (let i = 0; i < PIECE; i++) leaving = Math.imul(leaving, BASE);
  let hash = 0;
  for (let i = 0; i < text.length; i++) {
    hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0;
    if (i >= PIECE) hash = (hash - Math.imul(leaving, text.charCodeAt(i - PIECE))) | 0;
    if (i >= PIECE - 1) visit((hash ^ (hash >>> 16)) & (SLOTS - 1), i - PIECE + 1);
  }
}
