import type { CachePrices, ModelProfile } from "../models/profile.ts";
import type { Usage } from "../transcript/message.ts";

/** What is known of the provider's cache after a request. */
export interface CacheState {
  /** When the last request went out; `undefined` when the transcript has no times. */
  readonly time: number | undefined;
  /** The model that has the prefix in its cache, by its plain id; `undefined` before the first request. */
  readonly model: string | undefined;
  /** Responses in a row that reported input but no cache read. */
  readonly misses: number;
}

export const EMPTY_CACHE: CacheState = { time: undefined, model: undefined, misses: 0 };

/** After this many responses without a single cache read the model is taken to have no cache. */
const MISSES_UNTIL_NO_CACHE = 10;

/**
 * Is the prefix not cached: nothing sent yet, another model, or a pause longer than the TTL? Without times it is.
 * `warmedAt`: when the last request was sent again to keep its prefix cached.
 */
export function isCold(
  cache: CacheState,
  profile: ModelProfile,
  time: number | undefined,
  warmedAt: number = Number.NEGATIVE_INFINITY,
): boolean {
  if (cache.model !== profile.plainId) return true;
  if (time === undefined || cache.time === undefined) return false;
  return time - Math.max(cache.time, warmedAt) > profile.cache.ttl;
}

/** The state after a request was sent. */
export function noteRequest(cache: CacheState, profile: ModelProfile, time: number | undefined): CacheState {
  return { ...cache, time: time ?? cache.time, model: profile.plainId };
}

/** The model's prices, or those without a cache if the provider's reports show that it has none. */
export function effectivePrices(cache: CacheState, profile: ModelProfile): CachePrices {
  return cache.misses < MISSES_UNTIL_NO_CACHE ? profile.cache : { ...profile.cache, write: 1, read: 1 };
}

/** Missing and all-zero figures mean unknown, not "no cache". */
export function isKnown(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && usage.input + usage.cacheRead + usage.cacheWrite > 0;
}

export function noteUsage(cache: CacheState, usage: Usage | undefined): CacheState {
  if (!isKnown(usage)) return cache;
  return { ...cache, misses: usage.cacheRead > 0 ? 0 : cache.misses + 1 };
}
