/** A stretch of lines, by index; `to` is exclusive. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Lines of the old text, and the lines of the new one in their place. Either may be empty. */
export interface Difference {
  readonly old: Stretch;
  readonly new: Stretch;
}

/**
 * The differences between two texts, in order. Equal lines at both ends are left out; between them, lines that
 * occur once in each text and in the same order are matched. So it takes little more time than reading the texts,
 * for any texts; for moved and repeated lines, the result may be longer than necessary.
 */
export function diffLines(old: readonly string[], now: readonly string[]): readonly Difference[] {
  const all = trim(old, now, { old: { from: 0, to: old.length }, new: { from: 0, to: now.length } });
  const differences: Difference[] = [];
  let from = { old: all.old.from, new: all.new.from };
  for (const anchor of [...findAnchors(old, now, all), { old: all.old.to, new: all.new.to }]) {
    const gap = trim(old, now, {
      old: { from: from.old, to: anchor.old },
      new: { from: from.new, to: anchor.new },
    });
    if (gap.old.from < gap.old.to || gap.new.from < gap.new.to) differences.push(gap);
    from = { old: anchor.old + 1, new: anchor.new + 1 };
  }
  return differences;
}

/** Removes the lines that are equal at its start and at its end. */
function trim(old: readonly string[], now: readonly string[], gap: Difference): Difference {
  let { from: a, to: b } = gap.old;
  let { from: c, to: d } = gap.new;
  for (; a < b && c < d && old[a] === now[c]; a++) c++;
  for (; a < b && c < d && old[b - 1] === now[d - 1]; b--) d--;
  return { old: { from: a, to: b }, new: { from: c, to: d } };
}

interface Anchor {
  readonly old: number;
  readonly new: number;
}

/** The longest run of lines that occur once in both and keep their order. */
function findAnchors(old: readonly string[], now: readonly string[], within: Difference): readonly Anchor[] {
  const oldPlaces = findUnique(old, within.old);
  const newPlaces = findUnique(now, within.new);
  const pairs = [...newPlaces].flatMap(([line, place]): readonly Anchor[] => {
    const before = oldPlaces.get(line);
    return before === undefined ? [] : [{ old: before, new: place }];
  });
  return longestRising(pairs);
}

/** The lines that occur once, with their positions. */
function findUnique(lines: readonly string[], { from, to }: Stretch): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (let i = from; i < to; i++) {
    const line = lines[i] ?? "";
    if (places.has(line)) repeated.add(line);
    else places.set(line, i);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

/** From pairs in the order of the new text, the largest set that is also in the order of the old one. */
function longestRising(pairs: readonly Anchor[]): readonly Anchor[] {
  /** By length, the run of that length that ends earliest. */
  const ends: Run[] = [];
  for (const pair of pairs) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.last.old ?? 0) < pair.old) low = middle + 1;
      else high = middle;
    }
    ends[low] = { last: pair, before: ends[low - 1] };
  }
  const run: Anchor[] = [];
  for (let end = ends.at(-1); end; end = end.before) run.push(end.last);
  return run.reverse();
}

interface Run {
  readonly last: Anchor;
  readonly before: Run | undefined;
}
