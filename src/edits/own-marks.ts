import type { Facts } from "../facts/facts.ts";
import { findMark } from "../facts/find-mark.ts";

/**
 * Did Coppice cut this result before, in a transcript that was pruned already? Then it has a marker with the ref
 * derived for this very result, where Coppice puts markers. Any other text in brackets is the result's own: a fetched
 * page may say anything.
 *
 *   [superseded: newer git status · a1b2c3]     first line | ... [38 lines omitted · a1b2c3] ... | last line
 *   [distilled: bash npm test · a1b2c3] | 3 of 214 failed     Traceback | [old error: 12 more lines · a1b2c3]
 *   [only every fifth line number is shown · a1b2c3] | 1→first line | second line
 */
export function wasCut({ transcript }: Facts, result: number): boolean {
  return findMark(transcript, result) !== undefined;
}

/** As `wasCut`, but only if a marker ends the result: nothing follows it. */
export function wasReplaced({ transcript }: Facts, result: number): boolean {
  return findMark(transcript, result) === "end";
}
