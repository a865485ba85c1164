/** Matches the query literally, ignoring case; `undefined` for an empty query. */
export function makeMatcher(query: string): RegExp | undefined {
  const text = query.trim();
  return text === "" ? undefined : new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "gi");
}

/** The position of the first match, or -1. */
export function findFirst(text: string, matcher: RegExp | undefined): number {
  return matcher ? text.search(matcher) : -1;
}

export interface TextPiece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** The text as pieces that match and pieces that do not. */
export function splitMatches(text: string, matcher: RegExp | undefined): readonly TextPiece[] {
  if (!matcher) return [{ text, isMatch: false }];
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const match of text.matchAll(matcher)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), isMatch: false });
    pieces.push({ text: match[0], isMatch: true });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMatch: false });
  return pieces;
}
