import { countOf, formatDollars, shortCount } from "../basics/numbers.ts";
import type { RunSums } from "../hosts/proxy/run-sums.ts";

/** Smaller amounts count as nothing, in USD. */
const NOTHING = 0.000_05;

/**
 * The result of one run, in one line. Payments come from the usage in the answers, at list prices.
 *
 *   42 requests: paid $1.31, without Coppice $1.84: $0.53 saved (29 %).
 *   3 requests: paid $0.02; nothing was worth cutting.
 */
export function formatSaved(sums: RunSums): string {
  const { answered, requests, priced, paid, without } = sums;
  if (requests === 0) return "no request to a model came through.";
  if (answered === 0) return `${countOf(requests, "request")}, and none was answered: nothing was paid.`;
  const many = countOf(answered, "request");
  if (priced === 0) return `${many}: ${describeTokens(sums)}; ${describeUnpriced(sums)}`;
  const rest =
    priced < answered ? ` Of ${countOf(answered - priced, "request")} more, ${describeUnpriced(sums)}` : "";
  const of = `${countOf(priced, "request")}: paid ${formatDollars(paid)}`;
  const saved = without - paid;
  if (Math.abs(saved) < NOTHING)
    return `${of}; ${sums.cuts === 0 ? "nothing was worth cutting" : "nothing saved yet"}.${rest}`;
  const amounts = `${of}, without Coppice ${formatDollars(without)}`;
  const share = Math.round((100 * Math.abs(saved)) / without);
  const percent = share === 0 ? "less than 1 %" : `${share} %`;
  return `${amounts}: ${formatDollars(Math.abs(saved))} ${saved > 0 ? "saved" : "more"} (${percent}).${rest}`;
}

function describeTokens({ tokensWith, tokensWithout }: RunSums): string {
  return tokensWith < tokensWithout
    ? `${shortCount(tokensWith)} tokens sent instead of ${shortCount(tokensWithout)}`
    : `${shortCount(tokensWith)} tokens sent, none saved`;
}

function describeUnpriced({ unpriced }: RunSums): string {
  if (unpriced.length === 0) return "the answers report no usage, so the cost is unknown.";
  return `the price of ${unpriced.join(", ")} is not known, so the cost is unknown.`;
}
