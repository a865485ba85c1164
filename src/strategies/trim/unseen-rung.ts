import type { Facts } from "../../facts/facts.ts";
import type { IsProtectedFile } from "../../redaction/check-names.ts";
import { isSearch } from "../../tool-kinds/is-search.ts";
import { ownText, replacePart } from "../replacing/replace-part.ts";
import type { Rung, ShownSession } from "../rung.ts";
import { renderLeft } from "../summaries/render-left.ts";
import { shortenText } from "../summaries/shorten-text.ts";

/**
 * Shortens the results that the agent has not seen yet, if the request would not fit with them: the largest first,
 * search results last, and none more than needed. None is cleared: the agent requested it and has not seen it. A
 * shortened search says that it is incomplete.
 *
 *   read of 9,000 tokens, room for 3,000   ->  its first, last and most telling lines, 2,000 tokens
 */
export const createUnseenRung = (isProtectedFile: IsProtectedFile): Rung => ({
  name: "shorten-unseen",
  mechanism: "trim",
  *propose(facts, shown) {
    const results = listNewestResults(facts, shown);
    for (const size of RESULT_SIZES)
      for (const part of results) {
        if ((shown.tokens[part] ?? 0) <= size) continue;
        const room = { tokens: size, isList: isList(facts, part) };
        const text = shortenText(ownText(facts, part), room, facts.named, isProtectedFile);
        const reason = `the request would not fit with more than ${size} tokens of it`;
        const plan = replacePart(facts, part, (ref) => renderLeft(text, ref), { reason });
        if (plan) yield plan;
      }
  },
});

/** Tokens that results are shortened to, tried in this order. Less than the last is of no use. */
const RESULT_SIZES: readonly number[] = [8_000, 4_000, 2_000, 1_000, 500, 250, 120];

/** Is this result a list of search results? */
function isList({ calls }: Facts, part: number): boolean {
  const use = calls.of(part)?.use;
  return use !== undefined && isSearch(use);
}

function listNewestResults(facts: Facts, { tokens }: ShownSession): readonly number[] {
  const { transcript } = facts;
  const [from, to] = transcript.stepRange(transcript.lastStep);
  const parts = Array.from({ length: to - from }, (_, i) => from + i);
  const results = parts.filter((part) => transcript.part(part).kind === "result");
  const last = (part: number) => Number(isList(facts, part));
  return results.sort((a, b) => last(a) - last(b) || (tokens[b] ?? 0) - (tokens[a] ?? 0) || a - b);
}
