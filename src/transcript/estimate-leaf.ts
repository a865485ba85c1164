import { remember } from "../basics/remember.ts";
import { estimateTokens } from "./estimate.ts";
import type { Leaf } from "./part.ts";

/** What is shorter is counted faster than it is looked up. */
const LONG_TEXT = 200;

/** Tokens of a leaf's text. Every look at a cut asks for them again, so those of a long one are kept. */
export function estimateLeaf(leaf: Leaf): number {
  return leaf.text.length < LONG_TEXT ? estimateTokens(leaf.text) : estimateLong(leaf);
}

const estimateLong = remember(({ text }: Leaf) => estimateTokens(text));
