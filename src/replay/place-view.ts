import type { CachedRequest, PlacedMark } from "../schedule/prompt-cache.ts";
import type { CommonPrefix, MessageEnd, SentMessage } from "./sent-view.ts";

export interface ViewTerms {
  /** The text in common with the previous view. */
  readonly common: CommonPrefix;
  /** The provider's count for messages of this many tokens, including the text before them. */
  readonly count: (tokens: number) => number;
  /** The message at whose end the policy has set a cache mark. */
  readonly own: number | undefined;
  /** Is the last part a text that the policy added? */
  readonly hasNote: boolean;
}

/**
 * A view as a prompt cache sees it. Recordings do not contain cache marks: they are assumed where clients set them,
 * at the end of the system prompt and at the end of the client's own messages.
 */
export function placeView(
  sent: readonly SentMessage[],
  { common, count, own, hasNote }: ViewTerms,
): Pick<CachedRequest, "kept" | "total" | "blocks" | "marks"> {
  const ends = listEnds(sent);
  const toPlace = ({ blocks, tokens }: MessageEnd): PlacedMark => ({ blocks, tokens: count(tokens) });
  const whole = ends.at(-1) ?? START;
  const note = hasNote ? sent.at(-1)?.counts.at(-1) : undefined;
  const last = note === undefined ? whole : { blocks: whole.blocks - 1, tokens: whole.tokens - note };
  const between = own === undefined ? undefined : ends[own + 1];
  const before = ends[common.messages] ?? whole;
  return {
    kept: { blocks: before.blocks + common.parts, tokens: count(common.tokens) },
    total: count(whole.tokens),
    blocks: whole.blocks,
    marks: [START, ...(between && between.blocks < last.blocks ? [between] : []), last].map(toPlace),
  };
}

const START: MessageEnd = { blocks: 0, tokens: 0 };

/** By the number of messages before them. */
function listEnds(sent: readonly SentMessage[]): readonly MessageEnd[] {
  const ends = [START];
  let { blocks, tokens } = START;
  for (const message of sent) {
    blocks += message.decoded.parts.length;
    tokens += message.tokens;
    ends.push({ blocks, tokens });
  }
  return ends;
}
