import type { Facts } from "../facts/facts.ts";
import { THIN_MARK_LEAD } from "../facts/line-numbers.ts";
import { mayBeMarked } from "../transcript/may-be-marked.ts";
import type { Ref } from "../transcript/refs.ts";
import { listPartRefs } from "../transcript/refs.ts";

/**
 * Was this result cut by Coppice before, in a transcript that was pruned already? Then it has a mark with the ref that
 * is derived for this very result, in a place where Coppice puts marks. Any other text in brackets is the result's own:
 * a fetched page may say anything.
 *
 *   [superseded: newer git status · a1b2c3]     first line | ... [38 lines omitted · a1b2c3] ... | last line
 *   [distilled: bash npm test · a1b2c3] | 3 of 214 failed     Traceback | [old error: 12 more lines · a1b2c3]
 *   [only every fifth line number is shown · a1b2c3] | 1→first line | second line
 */
export function wasCut(facts: Facts, result: number): boolean {
  return findMark(facts, result) !== undefined;
}

/**
 * As `wasCut`, but only where a mark ends the result: nothing else is left of it than the mark and the text above it.
 */
export function wasReplaced(facts: Facts, result: number): boolean {
  return findMark(facts, result) === "end";
}

type MarkPlace = "start" | "end" | "between";

function findMark({ transcript }: Facts, result: number): MarkPlace | undefined {
  const part = transcript.part(result);
  const marked = part.kind === "result" ? part.leaves.filter(mayBeMarked) : [];
  if (marked.length === 0) return undefined;
  const refs = listPartRefs(transcript.key(result));
  for (const { text } of marked) {
    for (const ref of refs) {
      const place = findMarkIn(text, ref);
      if (place) return place;
    }
  }
  return undefined;
}

function findMarkIn(text: string, ref: Ref): MarkPlace | undefined {
  const at = text.indexOf(`${ref}]`);
  if (at < 0) return undefined;
  const line = text.slice(text.lastIndexOf("\n", at) + 1, at);
  if (!line.endsWith(" · ") && !line.endsWith(" · recall ")) return undefined;
  const rest = text.slice(at + ref.length + 1);
  if (rest.trim() === "" || rest.startsWith("\n<system-reminder>")) return "end";
  if (line === THIN_MARK_LEAD) return "between";
  if (line.startsWith("... [") && (rest === " ..." || rest.startsWith(" ...\n"))) return "between";
  return line.startsWith("[distilled: ") && at < text.indexOf("\n") ? "start" : undefined;
}
