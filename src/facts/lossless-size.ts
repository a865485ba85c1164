import { estimateTokens } from "../transcript/estimate.ts";
import { findLastTags } from "../transcript/own-tags.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { findBehindFile } from "./behind-file.ts";
import type { CallFact } from "./calls.ts";
import { trimNumbers } from "./line-numbers.ts";
import { SMALL_VIEW } from "./spent.ts";

/** Tokens by which estimates of pieces may differ from that of the whole. */
const ROUNDING = 10;

/**
 * Would a view count as small only because of what goes of it without loss? Small views are spent sooner, so pruning it
 * again would cut what pruning it once has left. Such a view stays as it is.
 */
export function wouldBecomeSmall(transcript: Transcript, fact: CallFact): boolean {
  const tokens = transcript.tokens[fact.result] ?? 0;
  if (tokens < SMALL_VIEW) return false;
  const { leaves } = transcript.part(fact.result);
  let left = tokens;
  for (const { text } of leaves) {
    const view = trimNumbers(text);
    if (view) left -= estimateTokens(text.slice(view.from, view.to)) - estimateTokens(view.text);
    left -= estimateTokens(text.slice(findLastTags(text)));
  }
  for (const { leaf, from, to } of findBehindFile(transcript, fact))
    left -= estimateTokens(leaves.find(({ id }) => id === leaf)?.text.slice(from, to) ?? "");
  return left < SMALL_VIEW + ROUNDING;
}
