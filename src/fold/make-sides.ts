import type { Cleared } from "../facts/clearing.ts";
import type { BilledRequest, SideRequest } from "../schedule/account.ts";
import type { Kept, PlacedMark } from "../schedule/prompt-cache.ts";
import type { HandOver } from "./hand-over.ts";
import { addMark, type CacheMarkPlace } from "./place-marks.ts";

/** A request after its cut. Tokens are estimated. */
export interface RequestShape {
  /** Tokens before the first message, including Coppice's own. */
  readonly prefix: number;
  /** Coppice's own share of the prefix. */
  readonly overhead: number;
  /** Tokens of the messages: as shown, as originals, and of the tags on all of them. */
  readonly shown: number;
  readonly original: number;
  readonly tags: number;
  readonly blocks: number;
  readonly cleared: Cleared;
  readonly clearedUncut: Cleared;
  /** The part of the previous request that is still the same, if the host changed its start. */
  readonly lost: Kept | undefined;
  /** The first part that a cut changed. */
  readonly changed: number;
  /** Parts before this one were in the previous request, or in its response if that is cached. */
  readonly newFrom: number;
  readonly marks: readonly CacheMarkPlace[];
  /** The place of Coppice's own cache mark. */
  readonly own: number | undefined;
  /** Coppice is off: the originals are sent, with everything that Coppice adds. */
  readonly isOff: boolean;
}

/** Describes the request for each of the running sums. */
export function makeSides(
  handOver: HandOver,
  request: RequestShape,
): Pick<BilledRequest, "with" | "without" | "uncut"> {
  const { prefix, overhead, shown, original, tags, blocks, cleared, clearedUncut, lost, marks } = request;
  const countUncut = (part: number) => handOver.countUncutBefore(part, clearedUncut, original);
  const keptUncut = handOver.findKeptUncut(clearedUncut, original);
  const uncut = (before: number, added: number): SideRequest => ({
    total: before + countUncut(blocks) + added,
    blocks,
    kept: lost ?? addPrefix(before, keptUncut),
    marks: countMarks(marks, (part) => before + countUncut(part) + (part === blocks ? added : 0)),
  });
  const kept = lost ?? addPrefix(prefix, handOver.findKept(cleared, request.changed, request.newFrom));
  const all = request.own === undefined ? marks : addMark(marks, request.own);
  return {
    with: request.isOff
      ? { ...uncut(prefix, 0), kept }
      : {
          total: prefix + shown,
          blocks,
          kept,
          marks: countMarks(all, (part) => prefix + handOver.countBefore(part, cleared)),
        },
    without: uncut(prefix - overhead, 0),
    uncut: uncut(prefix, tags),
  };
}

function countMarks(
  marks: readonly CacheMarkPlace[],
  countBefore: (part: number) => number,
): readonly PlacedMark[] {
  return marks.map(({ blocks, ttl }) => ({ blocks, ttl, tokens: countBefore(blocks) }));
}

function addPrefix(prefix: number, kept: Kept | undefined): Kept | undefined {
  return kept && { blocks: kept.blocks, tokens: prefix + kept.tokens };
}
