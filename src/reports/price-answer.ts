import type { ModelProfile } from "../models/profile.ts";
import { isKnown } from "../schedule/cache-model.ts";
import type { CutReason } from "../schedule/choose-cut.ts";
import { countInput, priceUsage } from "../schedule/usage-cost.ts";
import type { Usage } from "../transcript/message.ts";
import type { Report } from "./report.ts";

/** The cost of a request with Coppice, and the cost without. */
export interface AnswerPrice {
  readonly with: number;
  readonly without: number;
}

type PricedReport = Pick<Report, "bill" | "cut" | "tokens" | "terms">;

/** Tokens of a request with Coppice and without, including the text before the messages and Coppice's own tools. */
export function measureRequest({ tokens, terms }: Pick<Report, "tokens" | "terms">): AnswerPrice {
  const { prefixTokens = 0, overheadTokens = 0 } = terms;
  return { with: prefixTokens + overheadTokens + tokens.after, without: prefixTokens + tokens.before };
}

/**
 * The cost of a request in USD, output included: `with` comes from the usage in the answer; `without` is the cache
 * model's price for the same request without Coppice, in the provider's tokens. `undefined` if the answer has no
 * usage, or the model no price.
 *
 * @param profile of the model that answered
 * @param asItCame the request was sent unchanged
 */
export function priceAnswer(
  report: PricedReport,
  usage: Usage | undefined,
  profile: ModelProfile,
  asItCame: boolean,
): AnswerPrice | undefined {
  if (!isKnown(usage) || profile.dollarsPerMillion === undefined) return undefined;
  const { input, output } = priceUsage(usage, profile);
  const without = asItCame ? input : inputWithout(report, usage, input);
  const price = profile.dollarsPerMillion / 1e6;
  return { with: (input + output) * price, without: (without + output) * price };
}

/**
 * In tokens of plain input. A cache loss that no cut explains would also have happened without Coppice, so both
 * costs are corrected by the same amount. If this request cut cached text, the loss counts against Coppice, and
 * only the provider's token count is corrected. But a cache that lasted longer than the model predicts would also
 * have lasted without Coppice.
 */
function inputWithout(report: PricedReport, usage: Usage, paid: number): number {
  const { bill, cut } = report;
  const { with: modelled, without } = bill.newest;
  const counted = countInput(usage) / Math.max(1, measureRequest(report).with);
  const ratio = modelled > 0 ? paid / modelled : counted;
  const livedOn = ratio < LIVED_ON * counted;
  return without * (cut && !LOSING_NOTHING.has(cut.reason) && !livedOn ? counted : ratio);
}

/**
 * If the price is below this share of the modelled one, the provider still had a cache that the model had given up.
 */
const LIVED_ON = 0.5;

/** Reasons of cuts in text that was not cached. */
const LOSING_NOTHING: ReadonlySet<CutReason> = new Set(["never-sent", "cold-cache", "no-cache"]);
