import { profileFor } from "../../../src/models/profile-for.ts";
import type { Billed } from "../../provider/provider.ts";

/** The cost of requests at their models' list prices, in USD: the running total. */
export function priceBill(billed: readonly Billed[]): readonly number[] {
  let sum = 0;
  return billed.map((each) => {
    sum += priceRequest(each);
    return sum;
  });
}

function priceRequest({ model, input, cacheRead, cacheWrite, output }: Billed): number {
  const { dollarsPerMillion = Number.NaN, cache, output: perOutput } = profileFor(model);
  const tokens = input + cacheRead * cache.read + cacheWrite * cache.write + output * perOutput;
  return (tokens * dollarsPerMillion) / 1e6;
}
