import type { Splice } from "../../basics/splices.ts";
import type { Sources } from "./align-items.ts";

/** Where the items of a list, or the fields of an object, stand in a text. */
export interface Places {
  /** The position behind the opening bracket. */
  readonly inside: number;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Takes items out of a list and puts others in. The white space around those that stay is kept.
 *
 *   [ a , b , c ]   without b, with n at the end   ->   [ a , c,n ]
 *
 * @param sources rising; what is not among them is taken out
 * @param write the JSON of an added item, by its index in `sources`
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
