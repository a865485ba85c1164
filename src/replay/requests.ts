import type { Segment } from "../recordings/recording.ts";
import type { DecodedMessage, MessageMeta } from "../transcript/message.ts";

/** A request that was really made: the messages before a recorded response. */
export interface RecordedRequest {
  /** Index of the response in its segment, and so the number of messages that were sent. */
  readonly end: number;
  /** Messages that were not in the request before it. */
  readonly added: number;
  readonly model: string | undefined;
  /** The time of its newest input. */
  readonly time: number | undefined;
}

/**
 * The requests of a segment, as in `end`. None was made for the messages that a compaction kept.
 *
 *   user | assistant result | assistant result     ->  1, 3
 */
export function listRequests(
  segment: Segment,
  decoded: readonly DecodedMessage[],
): readonly RecordedRequest[] {
  const requests: RecordedRequest[] = [];
  let last = 0;
  let model: string | undefined;
  let parts = 0;
  for (const [i, message] of decoded.entries()) {
    model = segment.meta[i]?.model ?? message.model ?? model;
    if (i >= segment.carried && parts > 0 && message.parts[0]?.opensStep) {
      requests.push({ end: i, added: i - last, model, time: findNewestTime(segment, decoded, last, i) });
      last = i;
    }
    parts += message.parts.length;
  }
  return requests;
}

/**
 * What a policy may know beside the messages. Not the recorded usage: that is of the requests that were really made,
 * with their cache, and a policy has to decide on the bill's terms.
 */
export function listKnown({ messages, meta }: Segment): readonly MessageMeta[] {
  return messages.map((_, i) => ({ ...meta[i], usage: undefined }));
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
