import { remember } from "../basics/remember.ts";
import type { Leaf, Part } from "./part.ts";

/** Up to this many leaves are searched one by one; more get an index. */
const FEW_LEAVES = 8;

export function findLeaf(part: Part, id: string): Leaf | undefined {
  return part.leaves.length <= FEW_LEAVES
    ? part.leaves.find((leaf) => leaf.id === id)
    : indexLeaves(part).get(id);
}

/** If several leaves have the same id, the first is used. */
const indexLeaves = remember(
  ({ leaves }: Part): ReadonlyMap<string, Leaf> =>
    new Map(leaves.toReversed().map((leaf) => [leaf.id, leaf])),
);
