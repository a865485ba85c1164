import type { CutPlan } from "../../edits/cut-plan.ts";
import { dropItems, truncateOpening } from "./opening.ts";
import { type Trimming, trimMessages } from "./trim-messages.ts";
import type { TrimOptions, TrimResult } from "./trim-options.ts";
import { orderItems, orderResults } from "./trim-order.ts";
import { truncateResults } from "./truncate-results.ts";

/**
 * Drops messages until the rest fits: the lowest priority first, and within a priority the oldest. A call and its
 * results are dropped together. System text, agent instructions and the current task stay. Results about modified
 * files become placeholders, and only if nothing lower is left.
 *
 *   system | user | 12 × (call, result) | user     ->  system | 4 × (call, result) | user
 *
 * Throws a `ContextOverflowError` if the text that must stay does not fit.
 */
export function trimByPriority<M>(messages: readonly M[], options: TrimOptions): TrimResult<M> {
  return trimMessages(messages, options, function* (trimming) {
    yield* dropItems(trimming, orderItems([...trimming.groups, ...trimming.loose]));
    yield* truncateLeft(trimming);
  });
}

/** The last resort: placeholders for results in groups that had to stay, those about modified files last. */
export function* truncateLeft<M>(trimming: Trimming<M>): Generator<CutPlan> {
  yield* truncateOpening(trimming);
  yield* truncateResults(trimming, orderResults(trimming.results));
}
