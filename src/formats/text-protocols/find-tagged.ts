/** A stretch between an opening and a closing delimiter. */
export interface Tagged {
  readonly text: string;
  /** The position after the closing delimiter. */
  readonly end: number;
}

/**
 * The next stretch between two delimiters, from `from` on. If the closing delimiter is missing, it extends to the
 * end of the text.
 */
export function findTagged(text: string, opening: string, closing: string, from = 0): Tagged | undefined {
  const at = text.indexOf(opening, from);
  if (at < 0) return undefined;
  const start = at + opening.length;
  const close = text.indexOf(closing, start);
  return close < 0
    ? { text: text.slice(start), end: text.length }
    : { text: text.slice(start, close), end: close + closing.length };
}

/** All stretches between two delimiters, in order. */
export function listTagged(text: string, opening: string, closing: string): readonly string[] {
  const found: string[] = [];
  for (
    let next = findTagged(text, opening, closing);
    next;
    next = findTagged(text, opening, closing, next.end)
  )
    found.push(next.text);
  return found;
}

/** Without the line breaks that agents put around a value. */
export function withoutBreaks(text: string): string {
  const from = text.startsWith("\n") ? 1 : 0;
  return text.slice(from, text.endsWith("\n") ? Math.max(from, text.length - 1) : text.length);
}
