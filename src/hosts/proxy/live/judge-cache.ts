import type { CachePrices } from "../../../models/profile.ts";
import type { Usage } from "../../../transcript/message.ts";

/** A smaller share of a request is neither a hit nor a miss. */
const WORTH_NAMING = 0.3;

/**
 * The share of a request that should have been in the provider's cache, computed back from the cache model's bill:
 * `r·cached + w·(tokens − cached)`.
 */
export function expectedShare(bill: number, tokens: number, { read, write }: CachePrices): number {
  if (tokens <= 0 || write <= read) return 0;
  const cached = (write * tokens - bill) / (write - read);
  return Math.min(1, Math.max(0, cached / tokens));
}

/** Unknown if the provider does not report cached tokens. */
export function cachedShare(usage: Usage | undefined): number | undefined {
  if (!usage) return undefined;
  const total = usage.input + usage.cacheRead + usage.cacheWrite;
  return total > 0 ? usage.cacheRead / total : undefined;
}

/**
 *   should be 90 %, is 88 %   ->  hit
 *   should be 90 %, is 3 %    ->  miss
 *   should be 10 %, is 0 %    ->  new: a first request, a cut near its beginning, a pause
 */
export function judgeCache(expected: number, actual: number): "hit" | "miss" | "new" {
  if (actual >= WORTH_NAMING && actual >= expected / 2) return "hit";
  return expected >= WORTH_NAMING ? "miss" : "new";
}
