import { countOf, shortCount } from "../basics/numbers.ts";
import type { RunSums } from "../hosts/proxy/run-sums.ts";
import { formatDollars } from "./table.ts";

/** Less than this is nothing, in USD. */
const NOTHING = 0.000_05;

/**
 * What came of one run, in one line.
 *
 *   42 requests: input for $1.31 instead of $1.84 at list prices, $0.53 saved (29 %).
 *   3 requests: nothing was worth cutting; input for $0.02 at list prices.
 */
export function formatSaved(sums: RunSums): string {
  const { answered, requests, priced, costWith, costWithout } = sums;
  if (requests === 0) return "no request to a model came through.";
  if (answered === 0) return `${countOf(requests, "request")}, and none was answered: nothing was spent.`;
  const many = countOf(answered, "request");
  if (priced === 0) return `${many}: ${describeTokens(sums)}; ${describeUnpriced(sums)}`;
  const saved = costWithout - costWith;
  const rest =
    priced < answered ? ` Of ${countOf(answered - priced, "request")} more, ${describeUnpriced(sums)}` : "";
  const of = countOf(priced, "request");
  if (Math.abs(saved) < NOTHING)
    return `${of}: ${sums.cuts === 0 ? "nothing was worth cutting" : "nothing saved yet"}; input for ${formatDollars(costWith)} at list prices.${rest}`;
  const amounts = `input for ${formatDollars(costWith)} instead of ${formatDollars(costWithout)} at list prices`;
  const share = Math.round((100 * saved) / costWithout);
  if (share === 0)
    return `${of}: input for ${formatDollars(costWith)} at list prices, less than one percent ${saved > 0 ? "saved" : "more than without"}.${rest}`;
  if (saved < 0)
    return `${of}: ${amounts}; the last cut cost ${formatDollars(-saved)} more than it has saved so far.${rest}`;
  return `${of}: ${amounts}, ${formatDollars(saved)} saved (${share} %).${rest}`;
}

function describeTokens({ tokensWith, tokensWithout }: RunSums): string {
  return tokensWith < tokensWithout
    ? `${shortCount(tokensWith)} tokens sent instead of ${shortCount(tokensWithout)}`
    : `${shortCount(tokensWith)} tokens sent, none less`;
}

function describeUnpriced({ unpriced }: RunSums): string {
  const models = unpriced.length === 0 ? "the model" : unpriced.join(", ");
  return `the price of ${models} is not known, so there is no sum in money.`;
}
