import type { ModelProfile } from "../../models/profile.ts";
import { profileCachedFor, profileFor } from "../../models/profile-for.ts";
import type { WithAndWithout } from "../../page/data.ts";
import { measureRequest, priceAnswer } from "../../reports/price-answer.ts";
import type { SentRequest, WatchedAnswer } from "./watcher.ts";

type Sent = Pick<SentRequest, "report" | "isHeldOut">;
type Answered = Pick<WatchedAnswer, "isOfOriginal">;

/** Tokens of a request with Coppice and without. */
export function measureTokens(sent: Sent, answered?: Answered): WithAndWithout {
  const tokens = measureRequest(sent.report);
  return wentAsItCame(sent, answered) ? { ...tokens, with: tokens.without } : tokens;
}

type PricedRequest = Pick<SentRequest, "report" | "isHeldOut" | "prices" | "request">;
type PricedAnswer = Pick<WatchedAnswer, "isOfOriginal" | "answer">;

/** The cost of a request with Coppice and without, in USD; `undefined` if unknown. */
export function measureDollars(sent: PricedRequest, answered: PricedAnswer): WithAndWithout | undefined {
  const profile = profileOf(sent, answered);
  return priceAnswer(sent.report, answered.answer?.usage, profile, wentAsItCame(sent, answered));
}

/** The profile of the model that answered, with the cache lifetime that the request set. */
export function profileOf(
  { report, prices, request }: PricedRequest,
  { answer }: PricedAnswer,
): ModelProfile {
  const model = answer?.model ?? request.model;
  return profileCachedFor(profileFor(model, prices), report.terms.ttl);
}

/** Was text cut from it that the model did not get? */
export function isCut(sent: Sent, answered?: Answered): boolean {
  return sent.report.cut !== undefined && !wentAsItCame(sent, answered);
}

function wentAsItCame({ isHeldOut }: Sent, answered: Answered | undefined): boolean {
  return isHeldOut || answered?.isOfOriginal === true;
}

/** Requests that only count tokens are not model requests. */
export function isCounted({ wire }: Pick<SentRequest, "wire">): boolean {
  return wire.name !== "anthropic-count-tokens";
}
