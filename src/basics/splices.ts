/** A stretch of a text and its replacement. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A stretch of the spliced text, and the text that it replaced. */
export interface UndoneSplice {
  readonly at: number;
  readonly length: number;
  readonly was: string;
}

/**
 * Replaces the text at each place. The splices are disjoint; an insertion goes before the text that begins there.
 */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of sortSplices(splices)) {
    result += text.slice(at, splice.from) + splice.text;
    at = splice.to;
  }
  return result + text.slice(at);
}

/** For each splice: its place in the spliced text, and the original. */
export function invertSplices(text: string, splices: readonly Splice[]): readonly UndoneSplice[] {
  let moved = 0;
  return sortSplices(splices).map(({ from, to, text: shown }) => {
    const at = from + moved;
    moved += shown.length - (to - from);
    return { at, length: shown.length, was: text.slice(from, to) };
  });
}

function sortSplices(splices: readonly Splice[]): readonly Splice[] {
  return splices.toSorted((a, b) => a.from - b.from || a.to - b.to);
}
