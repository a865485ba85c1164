import type { CachePrices } from "../models/profile.ts";
import { nextPing, pricePing } from "../schedule/keep-warm.ts";

/** Requests that were sent again to keep the cache warm. */
export interface Pings {
  readonly count: number;
  /** In tokens of plain input. */
  readonly bill: number;
}

/** The pings of one pause. */
export interface PausePings extends Pings {
  /** When the last of them was sent. */
  readonly last?: number;
}

export const NO_PINGS: Pings = { count: 0, bill: 0 };

/** The pings after a request of this many tokens until the next one, which may never come (`Infinity`). */
export function pingUntil(
  next: number,
  request: { readonly tokens: number; readonly time: number },
  prices: CachePrices,
  budget: number,
): PausePings {
  let pings = 0;
  let usedAt = request.time;
  for (;;) {
    const ping = nextPing({ tokens: request.tokens, usedAt, pings, prices, budget });
    if (!ping || ping.at >= next) break;
    usedAt = ping.at;
    pings++;
  }
  if (pings === 0) return NO_PINGS;
  return { count: pings, bill: pings * pricePing(request.tokens, prices), last: usedAt };
}
