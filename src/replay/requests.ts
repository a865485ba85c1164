import { requestEnds } from "../formats/intake/request-ends.ts";
import type { Segment } from "../recordings/recording.ts";
import type { DecodedMessage, MessageMeta, Usage } from "../transcript/message.ts";

/** A request that was really made: the messages before a recorded response. */
export interface RecordedRequest {
  /** Index of the response in its segment, and so the number of messages that were sent. */
  readonly end: number;
  /** Messages that were not in the previous request. */
  readonly added: number;
  readonly model: string | undefined;
  /** The time of its newest input. */
  readonly time: number | undefined;
  /**
   * Did it ask for the longer cache? Its cache writes show this; without any, the previous request decides, or else
   * the next.
   */
  readonly isLong: boolean;
}

export interface RecordedTerms {
  /** Is recorded usage available and used? */
  readonly isRecorded: boolean;
  /** The model of requests without one: some recordings name their only model once, at the end. */
  readonly model?: string;
}

/**
 * The requests of a segment, as in `end`. Leaves out a last request without an answer, and the messages that a
 * compaction kept.
 *
 *   user | assistant result | assistant result     ->  1, 3
 */
export function listRequests(
  segment: Segment,
  decoded: readonly DecodedMessage[],
  { isRecorded, model: only }: RecordedTerms = { isRecorded: true },
): readonly RecordedRequest[] {
  const answered = requestEnds(decoded, segment.carried).filter((end) => end < decoded.length);
  let model: string | undefined;
  let at = 0;
  const long = listLong(answered.map((end) => segment.meta[end]?.usage));
  return answered.map((end, i) => {
    const last = answered[i - 1] ?? 0;
    for (; at <= end; at++) model = segment.meta[at]?.model ?? decoded[at]?.model ?? model;
    const time = findNewestTime(segment, decoded, last, end);
    return { end, added: end - last, model: model ?? only, time, isLong: isRecorded && long[i] === true };
  });
}

function listLong(usages: readonly (Usage | undefined)[]): readonly boolean[] {
  const longUse = usages.map((usage) =>
    usage && usage.cacheWrite > 0 ? (usage.longWrite ?? 0) * 2 > usage.cacheWrite : undefined,
  );
  let long = longUse.find((each) => each !== undefined) ?? false;
  return longUse.map((each) => {
    long = each ?? long;
    return long;
  });
}

/**
 * The data that a policy may use, other than the messages. Excludes recorded usage: that belongs to the original
 * requests and their cache, and a policy must decide on the bill's terms.
 */
export function listKnown({ messages, meta }: Segment): readonly MessageMeta[] {
  return messages.map((_, i) => {
    const { cost: _cost, ...known } = meta[i] ?? {};
    return { ...known, usage: undefined };
  });
}

function findNewestTime(
  { meta }: Segment,
  decoded: readonly DecodedMessage[],
  from: number,
  to: number,
): number | undefined {
  let newest: number | undefined;
  for (let i = from; i < to; i++) {
    const time = meta[i]?.time ?? decoded[i]?.time;
    if (time !== undefined && (newest === undefined || time > newest)) newest = time;
  }
  return newest;
}
