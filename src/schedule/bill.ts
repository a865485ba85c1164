import type { CachePrices } from "../models/profile.ts";
import { type CachedRequest, NO_CACHE_YET, type PromptCache, sendThrough } from "./prompt-cache.ts";

/** One of the running sums, with Coppice or without it. `bill` is in tokens of plain input. */
export interface Side {
  readonly bill: number;
  readonly sent: number;
  readonly peak: number;
  /** Requests that read less from the cache than they would have read with unchanged text. */
  readonly breaks: number;
  /** The last request, so that usage reported later can correct it. */
  readonly last: RequestSize;
  readonly cache: PromptCache;
}

export interface RequestSize {
  readonly total: number;
  /** Tokens read from the cache. */
  readonly cached: number;
  /** Tokens that would have been read if nothing had expired. Default: `cached`. */
  readonly unexpired?: number;
  /** Tokens up to the last cache mark; the rest is plain input. Default: `total`. */
  readonly marked?: number;
  /** Tokens of a note at its end, which the next request does not repeat. */
  readonly note?: number;
}

export const EMPTY_SIDE: Side = {
  bill: 0,
  sent: 0,
  peak: 0,
  breaks: 0,
  last: { total: 0, cached: 0 },
  cache: NO_CACHE_YET,
};

/** The price without the note. */
export function priceRequest({ total, cached, marked = total }: RequestSize, prices: CachePrices): number {
  return cached * prices.read + (marked - cached) * prices.write + (total - marked) * pricePlain(prices);
}

/** The note follows the last cache mark. */
export function priceNote({ note = 0 }: RequestSize, prices: CachePrices): number {
  return note * pricePlain(prices);
}

/** The price of a token after the last mark. Without marks, all new text is written to the cache. */
function pricePlain({ marks, write }: CachePrices): number {
  return marks ? 1 : write;
}

/** @param note tokens at the end of the request that the next one does not repeat */
export function charge(side: Side, request: CachedRequest, note = 0): Side {
  const { prices, total } = request;
  const { cache, read, unchanged, unexpired, marked } = sendThrough(side.cache, request);
  const last: RequestSize = { total, cached: read, unexpired, marked, ...(note > 0 && { note }) };
  return {
    bill: side.bill + priceRequest(last, prices) + priceNote(last, prices),
    sent: side.sent + total + note,
    peak: Math.max(side.peak, total + note),
    breaks: side.breaks + (unchanged > read ? 1 : 0),
    last,
    cache,
  };
}

/** Bills the last request again: it read only this share of the tokens expected in the cache. */
export function correctUncached(side: Side, share: number, prices: CachePrices): Side {
  return billAgain(side, side.last.cached * share, prices);
}

/** Bills the last request again: it read text that seemed expired. */
export function correctHit(side: Side, prices: CachePrices): Side {
  return billAgain(side, side.last.unexpired ?? side.last.cached, prices);
}

function billAgain(side: Side, cached: number, prices: CachePrices): Side {
  const marked = Math.max(cached, side.last.marked ?? side.last.total);
  const last: RequestSize = { ...side.last, cached, marked };
  const bill = side.bill - priceRequest(side.last, prices) + priceRequest(last, prices);
  return { ...side, bill, last };
}
