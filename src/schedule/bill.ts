import type { CachePrices } from "../models/profile.ts";

/** One of the running sums, with Coppice or without it. `bill` is in tokens of plain input. */
export interface Side {
  readonly bill: number;
  readonly sent: number;
  readonly peak: number;
  /** Requests whose cached prefix was cut short although the cache was warm. */
  readonly breaks: number;
  /** The last request, so that usage reported later can correct it. */
  readonly last: RequestSize;
}

export interface RequestSize {
  readonly total: number;
  /** Tokens at the start that the request before had too and that the cache still holds. */
  readonly cached: number;
  /** Tokens of a note at its end, which the next request does not repeat. */
  readonly note?: number;
}

export const EMPTY_SIDE: Side = { bill: 0, sent: 0, peak: 0, breaks: 0, last: { total: 0, cached: 0 } };

export function priceRequest({ total, cached }: RequestSize, prices: CachePrices): number {
  const read = cached < prices.minimumPrefix ? 0 : cached;
  return read * prices.read + (total - read) * prices.write;
}

/** @param kept how many tokens the request has in common with the start of the last one */
export function charge(side: Side, total: number, kept: number, cold: boolean, prices: CachePrices): Side {
  const last: RequestSize = { total, cached: cold ? 0 : Math.min(kept, total) };
  return {
    bill: side.bill + priceRequest(last, prices),
    sent: side.sent + total,
    peak: Math.max(side.peak, total),
    breaks: side.breaks + (!cold && kept < side.last.total ? 1 : 0),
    last,
  };
}

/** Adds a note at the end of the last request. It is paid for as written, and never read from the cache. */
export function chargeNote(side: Side, note: number, prices: CachePrices): Side {
  return {
    ...side,
    bill: side.bill + note * prices.write,
    sent: side.sent + note,
    peak: Math.max(side.peak, side.last.total + note),
    last: { ...side.last, note },
  };
}

/** Bills the last request again as the provider reported it: nothing of it was in the cache. */
export function correctMiss(side: Side, prices: CachePrices): Side {
  const missed: RequestSize = { ...side.last, cached: 0 };
  return {
    ...side,
    bill: side.bill - priceRequest(side.last, prices) + priceRequest(missed, prices),
    last: missed,
  };
}
