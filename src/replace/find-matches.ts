import type { AgentSettings } from "../agent/agent-settings.ts";
import { isPrune } from "../agent/read-answer.ts";
import type { Part } from "../transcript/part.ts";
import type { ReplaceSource } from "./find-replacements.ts";
import { readShown, type ShownText } from "./shown-text.ts";

/** A place in a shown text. */
export interface Match {
  readonly text: ShownText;
  readonly from: number;
  readonly to: number;
}

/**
 * From each occurrence of `start` through the nearest `end` after it in the same part, both included.
 *
 *   "a b c a d"  with start "a", end "d"   ->  two matches: from either "a"
 *   "a b b"      with start "a", end "b"   ->  "a b"
 */
export function findMatches(texts: readonly ShownText[], start: string, end: string): readonly Match[] {
  return texts.flatMap((text) => {
    const matches: Match[] = [];
    let from = text.text.indexOf(start);
    while (from >= 0 && matches.length < MOST_MATCHES) {
      const at = text.text.indexOf(end, from + start.length);
      if (at < 0) break;
      matches.push({ text, from, to: at + end.length });
      from = text.text.indexOf(start, from + 1);
    }
    return matches;
  });
}

/** Matches in one part; no more are searched. */
const MOST_MATCHES = 100;

/** The texts in which the agent may replace something, as it sees them. */
export function listReplaceable(
  { facts, ledger, protectedFrom }: Pick<ReplaceSource, "facts" | "ledger" | "protectedFrom">,
  { messages }: Pick<AgentSettings, "messages">,
): readonly ShownText[] {
  const { transcript } = facts;
  const texts: ShownText[] = [];
  for (const [i, part] of transcript.parts.entries()) {
    const isSpoken =
      part.kind === "text" && (part.role === "user" || (part.role === "assistant" && messages));
    if (!isSpoken && !isAnswered(part)) continue;
    const use = facts.calls.of(i)?.use;
    if ((use && isPrune(use)) || ledger.isDropped(transcript.key(i))) continue;
    if (protectedFrom(i) === undefined) texts.push(readShown(facts, ledger, i));
  }
  return texts;
}

/** The protected texts, as the agent sees them. */
export function listProtected({
  facts,
  ledger,
  protectedFrom,
}: Pick<ReplaceSource, "facts" | "ledger" | "protectedFrom">): readonly ShownText[] {
  return facts.transcript.parts.flatMap((part, i) =>
    (part.kind === "text" || isAnswered(part)) && protectedFrom(i) !== undefined
      ? [readShown(facts, ledger, i)]
      : [],
  );
}

function isAnswered(part: Part): boolean {
  return part.kind === "result" && (part.status === "ok" || part.status === "error");
}
