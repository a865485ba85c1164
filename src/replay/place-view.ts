import type { CachedRequest, PlacedMark } from "../schedule/prompt-cache.ts";
import type { CommonPrefix, MessageEnd, SentMessage } from "./sent-view.ts";

export interface ViewTerms {
  /** What it has in common with the view before. */
  readonly common: CommonPrefix;
  /** What the provider counts for messages of so many tokens, with all that stands before them. */
  readonly count: (tokens: number) => number;
  /** The message at whose end the policy has set a cache mark. */
  readonly own: number | undefined;
  /** The last part is a text of the policy's. */
  readonly hasNote: boolean;
}

/**
 * A view as a prompt cache looks at it. Recordings do not show cache marks: they are where clients set them, at the end of
 * the system prompt and at the end of the client's own messages.
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

/** By count of messages, where they end. */
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
