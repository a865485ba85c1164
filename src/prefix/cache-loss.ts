import type { ExplainedLoss, LossCause } from "./explain-loss.ts";

/** Text that a request should have found in the provider's cache, but did not. */
export interface CacheLoss extends ExplainedLoss {
  /** As the provider counts them. */
  readonly tokens: number;
  /** Their extra cost compared with reading them from the cache, in USD; missing if the model has no price. */
  readonly dollars?: number;
}

/** All losses of one cause. */
export interface LossSum {
  readonly cause: LossCause;
  readonly count: number;
  readonly tokens: number;
  /** Of the losses with a price, in USD. */
  readonly dollars: number;
}

/** Adds losses to the sums, and sorts them by cost. */
export function addLosses(
  sums: readonly LossSum[],
  more: readonly (LossSum | CacheLoss)[],
): readonly LossSum[] {
  const byCause = new Map(sums.map((sum) => [sum.cause, sum]));
  for (const each of more) {
    const { cause, tokens, dollars = 0 } = each;
    const known = byCause.get(cause) ?? { count: 0, tokens: 0, dollars: 0 };
    byCause.set(cause, {
      cause,
      count: known.count + ("count" in each ? each.count : 1),
      tokens: known.tokens + tokens,
      dollars: known.dollars + dollars,
    });
  }
  return [...byCause.values()].sort((a, b) => b.dollars - a.dollars || b.tokens - a.tokens);
}

/** Descriptions of causes. */
export const LOSS_WORDS: Readonly<Record<LossCause, string>> = {
  model: "another model",
  time: "the pause was longer than the cache lives",
  tools: "the client changed its tools",
  system: "the client changed the system prompt",
  messages: "the client changed earlier messages",
  cut: "Coppice cut something",
  marks: "no cache mark was near the cached text",
  settings: "another setting, such as tool_choice",
  headers: "other features in the headers",
  provider: "nothing differs: the provider lost it",
};
