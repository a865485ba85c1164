import type { WithAndWithout } from "../../page/data.ts";
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

/** What its input costs by the cache model, in USD, where the model's price is known. */
export function measureDollars(sent: Sent, answered?: Answered): WithAndWithout | undefined {
  const { dollars } = sent.report.bill.newest;
  return dollars && wentAsItCame(sent, answered)
    ? { with: dollars.without, without: dollars.without }
    : dollars;
}

/** Was something cut for it that the model did not get? */
export function isCut(sent: Sent, answered?: Answered): boolean {
  return sent.report.cut !== undefined && !wentAsItCame(sent, answered);
}

function wentAsItCame({ isHeldOut }: Sent, answered: Answered | undefined): boolean {
  return isHeldOut || answered?.isOfOriginal === true;
}

/** A question what a request would cost is none itself. */
export function isCounted({ wire }: Pick<SentRequest, "wire">): boolean {
  return wire.name !== "anthropic-count-tokens";
}
