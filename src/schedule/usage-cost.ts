import type { CachePrices, ModelProfile } from "../models/profile.ts";
import type { Usage } from "../transcript/message.ts";

/** The price of a request's input and output, in tokens of plain input. */
export interface UsageCost {
  readonly input: number;
  readonly output: number;
}

/**
 * The price paid for a request, in US dollars: the provider's own figures, output included, at the model's prices.
 * `undefined` if the model's price is unknown. For a request for a longer cache, pass the profile from
 * `profileCachedFor`, or usage with `longWrite`: writing costs more.
 */
export function costOfUsage(usage: Usage, profile: ModelProfile): number | undefined {
  if (profile.dollarsPerMillion === undefined) return undefined;
  const { input, output } = priceUsage(usage, profile);
  return ((input + output) * profile.dollarsPerMillion) / 1e6;
}

/** The price of a request, in tokens of plain input at the prices of short contexts. */
export function priceUsage(usage: Usage, { cache, longCache, longContext, output }: ModelProfile): UsageCost {
  const long =
    longCache && usage.longWrite ? usage.longWrite * Math.max(0, longCache.write - cache.write) : 0;
  const isLong = longContext && countInput(usage) > longContext.above;
  return {
    input: (priceInput(usage, cache) + long) * (isLong ? longContext.input : 1),
    output: usage.output * output * (isLong ? longContext.output : 1),
  };
}

/** In tokens of plain input, for a short context. */
export function priceInput({ input, cacheRead, cacheWrite }: Usage, { read, write }: CachePrices): number {
  return cacheRead * read + cacheWrite * write + input;
}

export function countInput({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}
