/** A stretch of a text. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** The same stretches, in order, with overlapping ones merged. */
export function mergeSpans<T extends TextSpan>(spans: readonly T[]): readonly T[] {
  const merged: T[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = merged.at(-1);
    if (!last || span.from >= last.to) merged.push(span);
    else if (span.to > last.to) merged[merged.length - 1] = { ...last, to: span.to };
  }
  return merged;
}
