import type { Span } from "../transcript/refs.ts";

/** What an edit does to its leaf. */
export interface SpanText extends Span {
  readonly text: string;
}

/**
 * The standing edits of one leaf, oldest first. They are nested or disjoint; the outermost shows, and of several with
 * the same span the newest.
 */
export type LeafEdits<E extends SpanText> = readonly E[];

/** The edit in `standing` that `span` overlaps without one lying inside the other. */
export function findPartialOverlap<E extends Span>(standing: readonly E[], span: Span): E | undefined {
  return standing.find(
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
 */
export function showing<E extends SpanText>(standing: LeafEdits<E>): LeafEdits<E> {
  const newestFirst = standing.toReversed();
  const outermostFirst = newestFirst.sort((a, b) => a.from - b.from || b.to - a.to);
  let covered = 0;
  return outermostFirst.filter((edit) => {
    const shows = edit.from >= covered;
    if (shows) covered = edit.to;
    return shows;
  });
}

/** The leaf as it shows. Without edits it is the very same string. */
export function renderLeaf(original: string, standing: LeafEdits<SpanText>): string {
  if (standing.length === 0) return original;
  let text = "";
  let at = 0;
  for (const edit of showing(standing)) {
    text += original.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return text + original.slice(at);
}

function contains(outer: Span, inner: Span): boolean {
  return outer.from <= inner.from && inner.to <= outer.to;
}
