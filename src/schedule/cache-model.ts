import type { CachePrices, ModelProfile } from "../models/profile.ts";
import type { Usage } from "../transcript/message.ts";

/** After this many responses without a single cache read, the model is assumed to have no cache. */
const MISSES_UNTIL_NO_CACHE = 10;

/** The model's prices, or those without a cache if the provider's reports show that it has none. */
export function effectivePrices(misses: number, profile: ModelProfile): CachePrices {
  return misses < MISSES_UNTIL_NO_CACHE ? profile.cache : { ...profile.cache, write: 1, read: 1 };
}

/** Missing and all-zero figures mean unknown, not "no cache". */
export function isKnown(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && usage.input + usage.cacheRead + usage.cacheWrite > 0;
}

/** Consecutive responses that reported input but no cache read. */
export function countUncached(before: number, usage: Usage): number {
  return usage.cacheRead > 0 ? 0 : before + 1;
}
