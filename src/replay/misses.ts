import type { CachePrices } from "../models/profile.ts";
import { priceFetched } from "../risk/fetch-price.ts";
import { priceRequest } from "../schedule/bill.ts";
import { cachedTokens } from "../schedule/prompt-cache.ts";

/** What a step used that was not in the view. */
export interface Missing {
  /** Anchors and edited lines. */
  readonly anchors: number;
  /** Tokens of the smallest parts that hold them, each counted once and up to as many as a recall brings. */
  readonly tokens: number;
}

/**
 * What it costs to fetch what a step misses: one more request with the same view, now cached, a little output that asks
 * for it, and the text itself, written and carried for some requests. An upper bound: agents often manage without.
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
