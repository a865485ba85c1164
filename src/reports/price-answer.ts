import type { ModelProfile } from "../models/profile.ts";
import { isKnown } from "../schedule/cache-model.ts";
import type { CutReason } from "../schedule/choose-cut.ts";
import { countInput, priceUsage } from "../schedule/usage-cost.ts";
import type { Usage } from "../transcript/message.ts";
import type { Report } from "./report.ts";

/** What a request cost with Coppice, and what it would have cost without. */
export interface AnswerPrice {
  readonly with: number;
  readonly without: number;
}

type PricedReport = Pick<Report, "bill" | "cut" | "tokens" | "terms">;

/** Tokens of a request with Coppice and without: what stands before the messages, and Coppice's own tools, included. */
export function measureRequest({ tokens, terms }: Pick<Report, "tokens" | "terms">): AnswerPrice {
  const { prefixTokens = 0, overheadTokens = 0 } = terms;
  return { with: prefixTokens + overheadTokens + tokens.after, without: prefixTokens + tokens.before };
}

/**
 * What a request cost, in USD, output included: `with` is what the usage in the answer comes to, `without` what the cache
 * model says of the same request without Coppice, in the provider's tokens. `undefined` where the answer has no usage, or the
 * model no price.
 *
 * @param profile of the model that has answered
 * @param asItCame nothing of Coppice's was in the request
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
 * In tokens of plain input. A loss of cache that no cut explains would have come without Coppice too, so then both are off
 * by as much. Where this request made a cut in cached text, what it lost counts against Coppice, and only how the provider
 * counts tokens is corrected; but a cache that lived longer than the model says would have been there without Coppice too.
 */
function inputWithout(report: PricedReport, usage: Usage, paid: number): number {
  const { bill, cut } = report;
  const { with: modelled, without } = bill.newest;
  const counted = countInput(usage) / Math.max(1, measureRequest(report).with);
  const ratio = modelled > 0 ? paid / modelled : counted;
  const livedOn = ratio < LIVED_ON * counted;
  return without * (cut && !LOSING_NOTHING.has(cut.reason) && !livedOn ? counted : ratio);
}

/** Share of the modelled price below which the provider had a cache that the model took for lost. */
const LIVED_ON = 0.5;

/** Why a cut was made of text that the cache did not have. */
const LOSING_NOTHING: ReadonlySet<CutReason> = new Set(["never-sent", "cold-cache", "no-cache"]);
