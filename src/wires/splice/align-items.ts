import { isRecord } from "../../basics/json.ts";

/**
 * For each item of a new list, the index of the old item that it is or was made from; `undefined` for an added one.
 */
export type Sources = readonly (number | undefined)[];

/** How far ahead to look for the item that another was made from. */
const LOOK_AHEAD = 16;

/**
 * Matches the items of a new list with those of the old one. Identical objects are matched first: formats keep
 * every block that they do not change. The items between them are paired in order; if blocks were dropped, with the
 * most similar ones.
 *
 *   [a, b, c] -> [a, c]           ->  0, 2
 *   [a, b, c] -> [a, b′, c, n]    ->  0, 1, 2, added
 */
export function alignItems(old: readonly unknown[], next: readonly unknown[]): Sources {
  const sources: (number | undefined)[] = new Array(next.length).fill(undefined);
  const places = new Map<unknown, number>();
  old.forEach((item, index) => {
    if (typeof item === "object" && item !== null) places.set(item, index);
  });
  let [doneOld, doneNext] = [0, 0];
  for (let j = 0; j <= next.length; j++) {
    const i = j === next.length ? old.length : places.get(next[j]);
    if (i === undefined || i < doneOld) continue;
    pairBetween(old.slice(doneOld, i), next.slice(doneNext, j)).forEach((source, k) => {
      if (source !== undefined) sources[doneNext + k] = doneOld + source;
    });
    if (j < next.length) sources[j] = i;
    [doneOld, doneNext] = [i + 1, j + 1];
  }
  return sources;
}

function pairBetween(old: readonly unknown[], next: readonly unknown[]): Sources {
  let i = 0;
  return next.map((item, j) => {
    const spare = old.length - i - (next.length - j);
    if (i >= old.length) return undefined;
    const source = spare > 0 ? findLikest(old, i, Math.min(spare, LOOK_AHEAD), item) : i;
    i = source + 1;
    return source;
  });
}

/** Among items with the same fields, the one with the fewest changes; the first, if none has the same fields. */
function findLikest(old: readonly unknown[], from: number, ahead: number, item: unknown): number {
  let [best, fewest] = [from, Number.POSITIVE_INFINITY];
  for (let i = from; i <= from + ahead; i++) {
    const changed = countChanged(old[i], item);
    if (changed < fewest) [best, fewest] = [i, changed];
  }
  return best;
}

function countChanged(old: unknown, next: unknown): number {
  if (!isRecord(old) || !isRecord(next)) return old === next ? 0 : Number.POSITIVE_INFINITY;
  const names = Object.keys(next);
  if (names.length !== Object.keys(old).length || !names.every((name) => Object.hasOwn(old, name)))
    return Number.POSITIVE_INFINITY;
  return names.filter((name) => old[name] !== next[name]).length;
}
