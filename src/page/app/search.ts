/** Finds the text as it is typed, in any case; `undefined` for nothing to look for. */
export function makeMatcher(query: string): RegExp | undefined {
  const text = query.trim();
  return text === "" ? undefined : new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "gi");
}

/** Where the first match stands, or -1. */
export function findFirst(text: string, matcher: RegExp | undefined): number {
  return matcher ? text.search(matcher) : -1;
}

export interface Stretch {
  readonly text: string;
  readonly isMatch: boolean;
}

/** The text in stretches that match and that do not. */
export function splitMatches(text: string, matcher: RegExp | undefined): readonly Stretch[] {
  if (!matcher) return [{ text, isMatch: false }];
  const stretches: Stretch[] = [];
  let at = 0;
  for (const match of text.matchAll(matcher)) {
    if (match.index > at) stretches.push({ text: text.slice(at, match.index), isMatch: false });
    stretches.push({ text: match[0], isMatch: true });
    at = match.index + match[0].length;
  }
  if (at < text.length) stretches.push({ text: text.slice(at), isMatch: false });
  return stretches;
}
