import type { ReplayedRequest } from "./replay-segment.ts";
import { sum } from "./sum.ts";

/** How well the bill model fits the requests with recorded usage. Shares are of all input tokens; 1 is all. */
export interface UsageComparison {
  /** Requests with usage. */
  readonly requests: number;
  readonly modelled: CachedShare;
  readonly recorded: CachedShare;
  /** Requests that hit the provider's cache although the model predicted a cold cache. */
  readonly unexpectedHits: number;
  /** Requests with less than half as many cached tokens as the model predicted. */
  readonly unexpectedMisses: number;
}

interface CachedShare {
  readonly tokens: number;
  readonly cached: number;
  readonly bill: number;
}

/** `undefined` if no usage was recorded. Only meaningful for the unpruned replay. */
export function compareUsage(requests: readonly ReplayedRequest[]): UsageComparison | undefined {
  const known = requests.flatMap(({ tokens, cached, bill, recorded }) =>
    recorded ? [{ tokens, cached, bill, recorded, total: totalOf(recorded) }] : [],
  );
  if (known.length === 0) return undefined;
  return {
    requests: known.length,
    modelled: {
      tokens: sum(known.map(({ tokens }) => tokens)),
      cached: sum(known.map(({ cached }) => cached)),
      bill: sum(known.map(({ bill }) => bill)),
    },
    recorded: {
      tokens: sum(known.map(({ total }) => total)),
      cached: sum(known.map(({ recorded }) => recorded.cacheRead)),
      bill: sum(known.map(({ recorded }) => recorded.bill)),
    },
    unexpectedHits: known.filter(
      ({ cached, recorded, total }) => cached === 0 && recorded.cacheRead > total / 2,
    ).length,
    unexpectedMisses: known.filter(
      ({ tokens, cached, recorded, total }) => recorded.cacheRead / total < cached / tokens / 2,
    ).length,
  };
}

function totalOf(usage: {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}): number {
  return usage.input + usage.cacheRead + usage.cacheWrite;
}
