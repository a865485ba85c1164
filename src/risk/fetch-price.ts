import type { CachePrices } from "../models/profile.ts";

/** Tokens of one part that a recall brings back at most. */
export const MOST_FETCHED = 2_500;

/** Tokens of output that asks for what is missing, and their price. */
const ASKING = 100;
const OUTPUT_PRICE = 5;

/** Requests that carry what was fetched. */
const CARRIED = 10;

/**
 * What it costs to fetch a text that is missing, beside one more request with the same view: a little output that asks
 * for it, and the text itself, written and carried for some requests. In tokens of plain input.
 */
export function priceFetched(tokens: number, prices: Pick<CachePrices, "read" | "write">): number {
  return ASKING * OUTPUT_PRICE + tokens * (prices.write + CARRIED * prices.read);
}

/**
 * A text is kept where its chance of being needed is above this for each of its tokens: to fetch something costs about
 * as much as to carry 80,000 tokens through one request, and what is left of a result is carried through some 40.
 */
export const CHANCE_PER_TOKEN = 0.0005;

/**
 * How much more it counts to lose a line that is edited next than to read its file again, for views and for searches that
 * show lines. Chosen on the curve of bill and lost edits in docs/economics.md.
 */
export const VIEW_WEIGHT = 40;
export const SEARCH_WEIGHT = 15;
