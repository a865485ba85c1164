import { estimateMedia, estimateTokens } from "../transcript/estimate.ts";
import { estimateLeaf } from "../transcript/estimate-leaf.ts";
import { EMPTIED, type Leaf, type Part } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { ReplaceEdit } from "./edit.ts";
import { renderLeaf } from "./leaf-edits.ts";
import type { Ledger } from "./ledger.ts";

type Replacement = Pick<ReplaceEdit, "from" | "to" | "text">;

/** The part's tokens as it shows: what the view would no longer have. */
export function countPartShown(index: number, transcript: Transcript, ledger: Ledger): number {
  const key = transcript.key(index);
  const isCut = ledger.replacements(key).length > 0;
  let count = transcript.tokens[index] ?? 0;
  for (const leaf of isCut ? transcript.part(index).leaves : []) {
    const standing = ledger.replacementsOf(key, leaf.id);
    if (standing.length === 0) continue;
    const shown = estimateTokens(renderLeaf(leaf.text, standing) || EMPTIED);
    count += shown - countShown(transcript.part(index), leaf, []);
  }
  return count;
}

export function countShown(part: Part, leaf: Leaf, standing: readonly ReplaceEdit[]): number {
  if (standing.length > 0) return estimateTokens(renderLeaf(leaf.text, standing));
  return part.kind === "file" ? estimateMedia(part.media) : estimateLeaf(leaf);
}

export function countEdited(leaf: Leaf, standing: readonly ReplaceEdit[], draft: Replacement): number {
  return estimateTokens(renderLeaf(leaf.text, [...standing, draft]) || EMPTIED);
}

/** How far from a span the estimate looks for the ends of its line. */
const NEARBY = 100;

/** A line break makes the estimate forget what stood before it. */
export function countSavedNearby(text: string, { from, to, text: replacement }: Replacement): number {
  const before = text.slice(Math.max(0, from - NEARBY), from);
  const head = before.slice(before.lastIndexOf("\n") + 1);
  const after = text.slice(to, to + NEARBY);
  const lineBreak = after.indexOf("\n");
  const tail = lineBreak < 0 ? after : after.slice(0, lineBreak + 1);
  return (
    estimateTokens(head + text.slice(from, to) + tail) - estimateTokens(head + replacement + tail || EMPTIED)
  );
}
