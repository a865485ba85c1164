import type { CachePrices } from "../models/profile.ts";

/** The most tokens of one part that a recall returns. */
export const MOST_FETCHED = 2_500;

/** Output tokens of a request for missing text, and their price. */
const ASKING = 100;
const OUTPUT_PRICE = 5;

/** Requests that include the fetched text. */
const CARRIED = 10;

/**
 * The cost of fetching missing text, in tokens of plain input, in addition to one more request with the same view:
 * a little output to ask for it, and the text itself, written to the cache and kept for some requests.
 */
export function priceFetched(tokens: number, prices: Pick<CachePrices, "read" | "write">): number {
  return ASKING * OUTPUT_PRICE + tokens * (prices.write + CARRIED * prices.read);
}

/**
 * A text is kept if its chance of being needed, per token, is above this: fetching costs about as much as keeping
 * 80,000 tokens for one request, and the rest of a result is kept for about 40.
 */
export const CHANCE_PER_TOKEN = 0.0005;

/**
 * How much more it costs to lose a line that is edited next than to read its file again, for views and for searches
 * that show lines. Chosen on the curve of bill and lost edits in docs/economics.md.
 */
export const VIEW_WEIGHT = 40;
export const SEARCH_WEIGHT = 15;
