import type { ModelProfile } from "../../models/profile.ts";
import { profileCachedFor, profileFor } from "../../models/profile-for.ts";
import type { WithAndWithout } from "../../page/data.ts";
import { isKnown } from "../../schedule/cache-model.ts";
import type { CutReason } from "../../schedule/choose-cut.ts";
import { countInput, priceUsage } from "../../schedule/usage-cost.ts";
import type { Usage } from "../../transcript/message.ts";
import type { AnsweredRequest, SentRequest } from "./watcher.ts";

type Sent = Pick<SentRequest, "report" | "isHeldOut">;
type Answered = Pick<AnsweredRequest, "isOfOriginal">;

/** Tokens of a request with Coppice and without: what stands before the messages, and Coppice's own tools, included. */
export function measureTokens(sent: Sent, answered?: Answered): WithAndWithout {
  const { report } = sent;
  const { before, after } = report.tokens;
  const { prefixTokens = 0, overheadTokens = 0 } = report.asked;
  const without = prefixTokens + before;
  return { without, with: wentAsItCame(sent, answered) ? without : prefixTokens + overheadTokens + after };
}

type PricedRequest = Pick<SentRequest, "report" | "isHeldOut" | "prices" | "request">;
type PricedAnswer = Pick<AnsweredRequest, "isOfOriginal" | "answer">;

/**
 * What a request cost, in USD, output included: `with` is what the usage in the answer comes to, `without` what the cache
 * model says of the same request without Coppice, in the provider's tokens. `undefined` where the answer has no usage, or the
 * model no price.
 */
export function measureDollars(sent: PricedRequest, answered: PricedAnswer): WithAndWithout | undefined {
  const { usage } = answered.answer ?? {};
  const profile = profileOf(sent, answered);
  if (!isKnown(usage) || profile.dollarsPerMillion === undefined) return undefined;
  const { input, output } = priceUsage(usage, profile);
  const without = wentAsItCame(sent, answered) ? input : inputWithout(sent, usage, input);
  const price = profile.dollarsPerMillion / 1e6;
  return { with: (input + output) * price, without: (without + output) * price };
}

/**
 * In tokens of plain input. A loss of cache that no cut explains would have come without Coppice too, so then both are off
 * by as much. Where this request made a cut in cached text, what it lost counts against Coppice; but a cache that lived
 * longer than the model says would have been there without Coppice too.
 */
function inputWithout(sent: PricedRequest, usage: Usage, paid: number): number {
  const { bill, cut } = sent.report;
  const { with: modelled, without } = bill.newest;
  const counted = countInput(usage) / Math.max(1, measureTokens(sent).with);
  const ratio = modelled > 0 ? paid / modelled : counted;
  return without * (cut && !LOSING_NOTHING.has(cut.reason) ? Math.min(counted, ratio) : ratio);
}

/** Why a cut was made of text that the cache did not have. */
const LOSING_NOTHING: ReadonlySet<CutReason> = new Set(["never-sent", "cold-cache", "no-cache"]);

/** Of the model that has answered, with the cache that the request asked for. */
export function profileOf(
  { report, prices, request }: PricedRequest,
  { answer }: PricedAnswer,
): ModelProfile {
  const model = answer?.model ?? request.model;
  return profileCachedFor(profileFor(model, prices), report.asked.ttl);
}

/** Was something cut for it that the model did not get? */
export function isCut(sent: Sent, answered?: Answered): boolean {
  return sent.report.cut !== undefined && !wentAsItCame(sent, answered);
}

function wentAsItCame({ isHeldOut }: Sent, answered: Answered | undefined): boolean {
  return isHeldOut || answered?.isOfOriginal === true;
}

/** A question what a request would cost is not one itself. */
export function isCounted({ wire }: Pick<SentRequest, "wire">): boolean {
  return wire.name !== "anthropic-count-tokens";
}
