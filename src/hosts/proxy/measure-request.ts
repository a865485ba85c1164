import type { WithAndWithout } from "../../page/data.ts";
import type { SentRequest } from "./watcher.ts";

/** Tokens of a request with Coppice and without: what stands before the messages, and Coppice's own tools, included. */
export function measureTokens({
  report,
  isHeldOut,
}: Pick<SentRequest, "report" | "isHeldOut">): WithAndWithout {
  const { before, after } = report.tokens;
  const { prefixTokens = 0, overheadTokens = 0 } = report.asked;
  const without = prefixTokens + before;
  return { without, with: isHeldOut ? without : prefixTokens + overheadTokens + after };
}

/** What its input costs by the cache model, in USD, where the model's price is known. */
export function measureDollars({
  report,
  isHeldOut,
}: Pick<SentRequest, "report" | "isHeldOut">): WithAndWithout | undefined {
  const { dollars } = report.bill.newest;
  return dollars && isHeldOut ? { with: dollars.without, without: dollars.without } : dollars;
}

/** A question what a request would cost is none itself. */
export function isCounted({ wire }: Pick<SentRequest, "wire">): boolean {
  return wire.name !== "anthropic-count-tokens";
}
