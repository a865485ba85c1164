import { findNumber } from "../facts/file-text.ts";
import type { Span } from "../transcript/refs.ts";

/** A span of a leaf and its replacement. */
export interface SpanText extends Span {
  readonly text: string;
  readonly lossless?: true;
}

/**
 * The active edits of one leaf, oldest first. They are nested or disjoint. The outermost shows; of several with the
 * same span, the newest.
 */
export type LeafEdits<E extends SpanText> = readonly E[];

/** The active edit that partly overlaps the span: neither lies inside the other. */
export function findPartialOverlap<E extends Span>(active: readonly E[], span: Span): E | undefined {
  return active.find(
    (other) =>
      other.from < span.to && span.from < other.to && !contains(other, span) && !contains(span, other),
  );
}

/**
 * The edits that show, in text order.
 *
 *   [0..9 A] [2..4 B]            ->  A        B sleeps inside A
 *   [2..4 B] [2..4 C]            ->  C        same span, last wins
 *   [0..2 A] [5..9 B]            ->  A, B
 *   [0..9 A, lossless] [2..4 B]  ->  B        A is the form of what is not cut: see `listPieces`
 */
export function showing<E extends SpanText>(edits: LeafEdits<E>): LeafEdits<E> {
  const cuts = edits.filter(({ lossless }) => !lossless);
  return outermost(cuts.length > 0 ? cuts : edits);
}

function outermost<E extends SpanText>(edits: LeafEdits<E>): LeafEdits<E> {
  const newestFirst = edits.toReversed();
  const outermostFirst = newestFirst.sort((a, b) => a.from - b.from || b.to - a.to);
  let covered = 0;
  return outermostFirst.filter((edit) => {
    const shows = edit.from >= covered;
    if (shows) covered = edit.to;
    return shows;
  });
}

/** The leaf as it shows. Without edits it is the very same string. */
export function renderLeaf(original: string, edits: LeafEdits<SpanText>): string {
  if (edits.length === 0) return original;
  let text = "";
  for (const piece of listPieces(original, edits)) text += piece.text;
  return text;
}

/** A piece of a leaf as it shows. */
export interface LeafPiece extends Span {
  readonly text: string;
  /** It replaces `from … to` of the original. Any other piece is that stretch itself. */
  readonly replaces: boolean;
}

/**
 * The leaf as it shows, in pieces. Text that is not cut has the form that lossless edits give it.
 *
 *   1→a | 2→b | 3→c,  lossless: 1→a | b | c,  `b` cut     ->  1→a | B | c
 */
export function listPieces(original: string, edits: LeafEdits<SpanText>): readonly LeafPiece[] {
  const whole = listFormed(original, outermost(edits.filter(({ lossless }) => lossless)));
  const pieces: LeafPiece[] = [];
  let next = 0;
  let at = 0;
  const showUpTo = (end: number, withAdded: boolean) => {
    for (; next < whole.length; next++) {
      const piece = whole[next];
      if (!piece || piece.from > end || (piece.from === end && !withAdded)) return;
      if (piece.replaces && piece.from >= at) pieces.push(piece);
      const [from, to] = [Math.max(piece.from, at), Math.min(piece.to, end)];
      if (!piece.replaces && from < to) pieces.push(take(original, from, to));
      if (piece.to > end) return;
    }
  };
  for (const cut of showing(edits)) {
    if (cut.lossless) continue;
    showUpTo(cut.from, cut.to < original.length);
    pieces.push({ from: cut.from, to: cut.to, text: cut.text, replaces: true });
    at = cut.to;
  }
  showUpTo(original.length, true);
  return pieces;
}

function take(original: string, from: number, to: number): LeafPiece {
  return { from, to, text: original.slice(from, to), replaces: false };
}

/** The original with these lossless edits, which are disjoint and in text order. */
function listFormed(original: string, forms: LeafEdits<SpanText>): readonly LeafPiece[] {
  const pieces: LeafPiece[] = [];
  let at = 0;
  for (const form of forms) {
    pieces.push(take(original, at, form.from));
    for (const line of listLines(original, form)) pieces.push(line);
    at = form.to;
  }
  return [...pieces, take(original, at, original.length)];
}

/**
 * The lines of a lossless replacement, and their places in the original: each is the end of an original line, in the
 * same order, or was added.
 */
function listLines(original: string, { from, to, text }: SpanText): readonly LeafPiece[] {
  if (text === "") return [];
  let at = from;
  return text.split(/(?<=\n)/).map((line): LeafPiece => {
    const lineBreak = original.indexOf("\n", at);
    const end = lineBreak < 0 || lineBreak >= to ? to : lineBreak + 1;
    if (at >= to || !original.slice(at, end).endsWith(line))
      return { from: at, to: at, text: line, replaces: true };
    at = end;
    return take(original, end - line.length, end);
  });
}

/**
 * Does this text keep every line of the span that it replaces? Only line numbers, and blanks before them, may be missing.
 * Lines may be added.
 */
export function keepsLines(original: string, span: SpanText): boolean {
  let at = span.from;
  for (const { from, to, text, replaces } of listLines(original, span)) {
    if (replaces) continue;
    if (!isNumbering(original.slice(at, from), text)) return false;
    at = to;
  }
  return at === span.to;
}

/** Is the text missing before this line only a number, or blanks before one? */
function isNumbering(missing: string, line: string): boolean {
  if (missing === "" || findNumber(missing)?.length === missing.length) return true;
  return missing.trim() === "" && findNumber(line) !== undefined;
}

function contains(outer: Span, inner: Span): boolean {
  return outer.from <= inner.from && inner.to <= outer.to;
}
