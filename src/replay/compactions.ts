import type { ReplayedRequest } from "./replay-segment.ts";

export interface Compactions {
  /** Compactions that the host made. */
  readonly recorded: number;
  /** Compactions that are still needed under the policy. */
  readonly left: number;
}

/**
 * A recorded compaction shows how far the context could grow. A policy may use only part of this room in each
 * segment; the parts are added up, and each full 1 is a compaction. The last segment uses the room of the one
 * before it.
 *
 *   room 100k, 100k, then 30k more  |  filled 60k, 60k, 20k   ->   0.6 + 0.6 + 0.2: one compaction of two is left
 */
export function countCompactions(
  requests: readonly ReplayedRequest[],
  unpruned: readonly ReplayedRequest[],
): Compactions {
  let recorded = 0;
  let filled = 0;
  let room = 0;
  for (const { first, last } of listSegments(unpruned)) {
    const start = unpruned[first]?.tokens ?? 0;
    if (last + 1 < unpruned.length) {
      recorded++;
      room = (unpruned[last]?.tokens ?? 0) - start;
    }
    const grown = (requests[last]?.tokens ?? 0) - start;
    filled += room > 0 ? Math.min(1, Math.max(0, grown / room)) : 1;
  }
  return { recorded, left: Math.min(recorded, Math.floor(filled + ROUNDING)) };
}

const ROUNDING = 1e-9;

/** The first and the last request of each segment. */
function listSegments(requests: readonly ReplayedRequest[]) {
  const segments: { readonly first: number; last: number }[] = [];
  for (const [i, { segment }] of requests.entries()) {
    const open = segments.at(-1);
    if (open && requests[open.first]?.segment === segment) open.last = i;
    else segments.push({ first: i, last: i });
  }
  return segments;
}
