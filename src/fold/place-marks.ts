import type { CacheMark } from "../transcript/cache-mark.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** A cache mark in the transcript: after this many parts. */
export interface CacheMarkPlace {
  readonly blocks: number;
  readonly ttl?: number | undefined;
}

/**
 * The places of the newest request's cache marks. Default: before the first message and at the end, as most clients
 * set them.
 *
 * @param ttl how long the default marks keep text, if that is longer than usual
 */
export function placeMarks(
  transcript: Transcript,
  marks: readonly CacheMark[] | undefined,
  ttl: number | undefined,
): readonly CacheMarkPlace[] {
  if (!marks)
    return [
      { blocks: 0, ttl },
      { blocks: transcript.length, ttl },
    ];
  const byPlace = new Map<number, CacheMarkPlace>();
  for (const { message, block, ttl: own } of marks) {
    const blocks = message < 0 ? 0 : findEnd(transcript, message, block);
    const longest = Math.max(own ?? 0, byPlace.get(blocks)?.ttl ?? 0);
    byPlace.set(blocks, { blocks, ...(longest > 0 && { ttl: longest }) });
  }
  return [...byPlace.values()].sort((a, b) => a.blocks - b.blocks);
}

/** The number of parts up to the end of a message, or of a block inside it. Most marks are near the end. */
function findEnd(
  { message: messages, parts, length }: Transcript,
  message: number,
  block: number | undefined,
): number {
  let end = length;
  while (end > 0 && (messages[end - 1] ?? 0) > message) end--;
  if (block === undefined) return end;
  let start = end;
  while (start > 0 && messages[start - 1] === message) start--;
  let last = start;
  for (let left = block + 1; last < end && left > 0; last++) {
    const part = parts[last];
    // A call in the text is not a block of the message.
    if (part?.kind !== "call" || !part.inText) left--;
  }
  return last;
}

/** Adds a mark, which keeps text as long as the next mark after it. */
export function addMark(marks: readonly CacheMarkPlace[], blocks: number): readonly CacheMarkPlace[] {
  if (marks.some((mark) => mark.blocks === blocks)) return marks;
  const { ttl } = marks.find((mark) => mark.blocks > blocks) ?? {};
  return [...marks, { blocks, ttl }].sort((a, b) => a.blocks - b.blocks);
}
