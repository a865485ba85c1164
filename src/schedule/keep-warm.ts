import type { CachePrices } from "../models/profile.ts";

/** A prefix in a provider's cache, during a pause of its conversation. */
export interface WarmPrefix {
  /** Tokens of the last request: all of them are cached now. */
  readonly tokens: number;
  /** When it was last sent, by the conversation or as a ping, in milliseconds. */
  readonly usedAt: number;
  /** Pings sent since the conversation's last request. */
  readonly pings: number;
  readonly prices: CachePrices;
  /** The most that pings may cost in one pause, as a share of the rewrite that they save. Default: `PING_BUDGET`. */
  readonly budget?: number;
}

/** The time to send a request again, only to keep its prefix cached. */
export interface Ping {
  readonly at: number;
  /** After this the prefix has expired, and a ping would cause the rewrite that it should save. */
  readonly until: number;
}

/** A ping is sent this long before the cache expires, in milliseconds, or a tenth of the TTL if that is less. */
const MARGIN = 30_000;

/** The response is dropped at its first event, after about one token, which costs about five tokens of input. */
const OUTPUT = 5;

/**
 * With 1, a pause would cost at most twice the price of perfect foresight. But most pauses are short or never end,
 * and pings after the end of a session save nothing: on recorded sessions a fifth is cheaper (docs/economics.md,
 * "Keeping the cache warm").
 */
export const PING_BUDGET = 0.2;

/**
 * The next ping of a pause, or `undefined` if it would exceed the budget: then the prefix may expire.
 *
 *   w 1.25, r 0.1, 5 minutes    ->  after 4.5 and 9 minutes; with a budget of 1 eleven times
 *   w = r, or a short prefix    ->  never: there is nothing to save
 */
export function nextPing({
  tokens,
  usedAt,
  pings,
  prices,
  budget = PING_BUDGET,
}: WarmPrefix): Ping | undefined {
  const { write, read, ttl, minimumPrefix } = prices;
  if (tokens < minimumPrefix) return undefined;
  if ((pings + 1) * pricePing(tokens, prices) > budget * (write - read) * tokens) return undefined;
  return { at: usedAt + ttl - Math.min(MARGIN, ttl / 10), until: usedAt + ttl };
}

/** The price of one ping, in tokens of plain input. */
export function pricePing(tokens: number, { read }: CachePrices): number {
  return tokens * read + OUTPUT;
}
