import type { CachePrices } from "../models/profile.ts";
import { priceFetched } from "../risk/fetch-price.ts";
import { priceRequest } from "../schedule/bill.ts";
import { cachedTokens } from "../schedule/prompt-cache.ts";

/** Text that a step used and that was not in the view. */
export interface Missing {
  /** Anchors and edited lines. */
  readonly anchors: number;
  /** Tokens of the smallest parts that contain them, each counted once and up to the maximum of a recall. */
  readonly tokens: number;
}

/**
 * The cost of fetching the text that a step misses: one more request with the same view, now cached, a little
 * output that asks for it, and the text itself, written to the cache and kept for some requests. An upper bound:
 * agents often manage without.
 *
 *   view 20,000, missing 300, w 1.25, r 0.1   ->   2,000 + 500 + 300 * (1.25 + 10 * 0.1) = 3,175
 */
export function priceFetch(missing: Missing, view: number, prices: CachePrices): number {
  if (missing.anchors === 0) return 0;
  return (
    priceRequest({ total: view, cached: cachedTokens(view, prices) }, prices) +
    priceFetched(missing.tokens, prices)
  );
}
