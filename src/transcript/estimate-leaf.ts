import { remember } from "../basics/remember.ts";
import { estimateTokens } from "./estimate.ts";
import { inFrame, type Leaf } from "./part.ts";

/** Counting a shorter text is faster than looking up its count. */
const LONG_TEXT = 200;

/**
 * Tokens of a leaf's text, including its frame. Queried whenever a cut is considered, so the count of a long text
 * is kept.
 */
export function estimateLeaf(leaf: Leaf): number {
  return leaf.text.length < LONG_TEXT && !leaf.frame ? estimateTokens(leaf.text) : estimateLong(leaf);
}

const estimateLong = remember((leaf: Leaf) => estimateTokens(inFrame(leaf, leaf.text)));
