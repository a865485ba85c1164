import type { Splice } from "../../basics/splices.ts";
import type { Sources } from "./align-items.ts";

/** The places of a list's items, or an object's fields, in a text. */
export interface Places {
  /** The position after the opening bracket. */
  readonly inside: number;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Removes items from a list and inserts others. The white space around the remaining items is kept.
 *
 *   [ a , b , c ]   without b, with n at the end   ->   [ a , c,n ]
 *
 * @param sources in rising order; other items are removed
 * @param write returns the JSON of an added item, by its index in `sources`
 */
export function moveItems(
  { inside, starts, ends }: Places,
  sources: Sources,
  write: (index: number) => string,
): readonly Splice[] {
  const splices: Splice[] = [];
  const add = (from: number, to: number, text: string): void => {
    if (from < to || text !== "") splices.push({ from, to, text });
  };
  const count = starts.length;
  const first = starts[0] ?? inside;
  const endOf = (item: number): number => ends[item] ?? inside;
  let added: string[] = [];
  let kept = -1;
  sources.forEach((source, index) => {
    if (source === undefined) {
      added.push(write(index));
      return;
    }
    if (kept < 0) add(first, starts[source] ?? first, added.map((each) => `${each},`).join(""));
    else add(endOf(kept), endOf(source - 1), added.map((each) => `,${each}`).join(""));
    added = [];
    kept = source;
  });
  if (kept < 0) add(first, endOf(count - 1), added.join(","));
  else add(endOf(kept), endOf(count - 1), added.map((each) => `,${each}`).join(""));
  return splices;
}
