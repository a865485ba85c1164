import { type CacheEntry, isInReach, type PlacedMark } from "./prompt-cache.ts";

/** One request, after its cut. */
export interface MarkTerms {
  /** The entries that the request could have read before its cut. */
  readonly entries: readonly CacheEntry[];
  /** The client's own marks. */
  readonly marks: readonly Pick<PlacedMark, "blocks">[];
  /** The first part that the cut changed. */
  readonly changed: number;
  /** Parts from here on are new. */
  readonly unsentFrom: number;
  /** Can a cache mark follow this many parts? */
  isMarkable(blocks: number): boolean;
}

/**
 * The best place for one more cache mark: on the entry that the cut has left, if the client's marks are too far away
 * to find it; otherwise before the newest input, so that a later cut in that input finds an entry before it.
 *
 *   cut at part 40, entries at 0 and 38, the client's mark at 200   ->  38
 *   no cut                                                          ->  the end of the request before
 */
export function chooseMark({
  entries,
  marks,
  changed,
  unsentFrom,
  isMarkable,
}: MarkTerms): number | undefined {
  const left = entries.findLast(({ blocks }) => blocks <= changed);
  if (left && left.blocks > 0 && !isInReach(left, marks)) return left.blocks;
  let place = unsentFrom;
  while (place > 0 && !isMarkable(place)) place--;
  return place > 0 ? place : undefined;
}
