import type { DecodedMessage } from "../../transcript/message.ts";

/**
 * The ends of a transcript's requests, as counts of messages: one before every model response, and one at the end.
 *
 *   user | assistant result | assistant        ->  1, 3, 4
 *
 * Messages older than the host's compaction message (the tail that it kept) answered no request of this segment:
 * the compaction, its summary and the tail are one input. So are the first `carried` messages, if a host says so.
 */
export function requestEnds(messages: readonly DecodedMessage[], carried = 0): readonly number[] {
  const ends: number[] = [];
  let compactedAt = Number.NEGATIVE_INFINITY;
  let parts = 0;
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as DecodedMessage;
    if (message.isCompaction) compactedAt = message.time ?? compactedAt;
    const isRequest = message.parts[0]?.opensStep && !((message.time ?? compactedAt) < compactedAt);
    if (isRequest && parts > 0 && i >= carried) ends.push(i);
    parts += message.parts.length;
  }
  if (parts > 0) ends.push(messages.length);
  return ends;
}
