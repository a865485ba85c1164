import { remember } from "../basics/remember.ts";
import { hashText } from "./hash.ts";
import type { Leaf } from "./part.ts";

/** Hashing a shorter text is faster than looking up its hash. */
const LONG_TEXT = 200;

/**
 * The hash of a leaf's text. A request's key and every cut of the whole leaf need it, so the hash of a long text is
 * kept.
 */
export function hashLeaf(leaf: Leaf): string {
  return leaf.text.length < LONG_TEXT ? hashText(leaf.text) : hashLong(leaf);
}

const hashLong = remember(({ text }: Leaf) => hashText(text));
