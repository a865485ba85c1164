import type { CachePrices, ModelProfile } from "../models/profile.ts";
import type { Usage } from "../transcript/message.ts";

/**
 * What was paid for a request, in US dollars: the provider's own figures, output included, at the model's prices.
 * `undefined` where its price is not known. A request for a longer cache wants `profileCachedFor`: writing costs more.
 */
export function costOfUsage(usage: Usage, profile: ModelProfile): number | undefined {
  const { cache, output, dollarsPerMillion } = profile;
  if (dollarsPerMillion === undefined) return undefined;
  return ((priceInput(usage, cache) + usage.output * output) * dollarsPerMillion) / 1e6;
}

/** In tokens of plain input. `plain`: the price of input that was neither read from the cache nor written to it. */
export function priceInput(
  { input, cacheRead, cacheWrite }: Usage,
  { read, write }: CachePrices,
  plain: number = 1,
): number {
  return cacheRead * read + cacheWrite * write + input * plain;
}
