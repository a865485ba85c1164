import { estimateMedia, estimateTokens } from "../transcript/estimate.ts";
import { estimateLeaf } from "../transcript/estimate-leaf.ts";
import { EMPTIED, inFrame, type Leaf, type Part } from "../transcript/part.ts";
import type { ReplaceEdit } from "./edit.ts";
import { renderLeaf } from "./leaf-edits.ts";

type Replacement = Pick<ReplaceEdit, "from" | "to" | "text" | "lossless">;

/**
 * Tokens of a leaf as it is sent: with these active edits, and this tag line at its end. Every count of shown tokens
 * uses this. The tag is counted separately, so that its cost does not depend on how the text before it ends.
 */
export function countLeafShown(
  part: Part,
  leaf: Leaf,
  active: readonly Replacement[],
  tag: string | undefined,
): number {
  const tagTokens = tag !== undefined && carriesTag(leaf, active) ? estimateTokens(tag) : 0;
  if (active.length > 0) {
    const text = inFrame(leaf, renderLeaf(leaf.text, active));
    return tagTokens + (text === "" && tagTokens > 0 ? 0 : estimateTokens(text || EMPTIED));
  }
  return tagTokens + (part.kind === "file" ? estimateMedia(part.media) : estimateLeaf(leaf));
}

/** A leaf that was cut whole has no tag: its replacement names the ref. */
export function carriesTag(leaf: Leaf, active: readonly Replacement[]): boolean {
  return !active.some(({ from, to, lossless }) => from === 0 && to === leaf.text.length && !lossless);
}

/** How far to search for the ends of a span's line, in characters. */
const NEARBY_CHARACTERS = 100;

/**
 * Tokens that a replacement saves, counted only on the span's line. This is exact, because the estimate starts again
 * after each line break.
 */
export function countSavedNearby(text: string, { from, to, text: replacement }: Replacement): number {
  const before = text.slice(Math.max(0, from - NEARBY_CHARACTERS), from);
  const head = before.slice(before.lastIndexOf("\n") + 1);
  const after = text.slice(to, to + NEARBY_CHARACTERS);
  const lineBreak = after.indexOf("\n");
  const tail = lineBreak < 0 ? after : after.slice(0, lineBreak + 1);
  return (
    estimateTokens(head + text.slice(from, to) + tail) - estimateTokens(head + replacement + tail || EMPTIED)
  );
}
