import type { Issue } from "../basics/issue.ts";
import { formatNumber } from "../basics/numbers.ts";
import type { ModelProfile } from "./profile.ts";

/** Issues for values that are assumed because no price list has them. Empty for most models. */
export function doubtPrices({ id, known, cacheKnown, window, cache }: ModelProfile): readonly Issue[] {
  if (known && cacheKnown) return [];
  const what = known ? "cache prices for the model" : "the model";
  const doubtful = [
    ...(known ? [] : [`a window of ${formatNumber(window)} tokens`]),
    ...(cacheKnown
      ? []
      : [`cache reads at ${cache.read} and writes at ${cache.write} times the price of plain input`]),
  ].join(", ");
  const message = `no price list has ${what} ${id || "(no name given)"}; assumed: ${doubtful}; set schedule.prices`;
  return [{ code: known ? "cache-prices-assumed" : "unknown-model", message, severity: "info" }];
}
