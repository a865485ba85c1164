import { ContentPriority } from "./content-priority.ts";
import { dropItems, truncateOpening } from "./opening.ts";
import type { GroupItem, LooseItem } from "./survey.ts";
import { trimMessages } from "./trim-messages.ts";
import { RECENT_STEPS, type TrimOptions, type TrimResult } from "./trim-options.ts";
import { compareAge, SMALL_RESULT } from "./trim-order.ts";

/**
 * The simpler strategy. First it drops results older than `maxAge` steps, the oldest first, small ones and errors
 * last. Then it drops everything older than `preserveRecentTurns` steps. Only `maxAge` decides which results are
 * old, even if it is the smaller one.
 */
export function trimByAge<M>(messages: readonly M[], options: TrimOptions): TrimResult<M> {
  const { maxAge = 5, preserveRecentTurns = RECENT_STEPS } = options;
  const isOldResult = (item: GroupItem | LooseItem) => item.kind !== "text" && item.metadata.age > maxAge;
  return trimMessages(messages, options, function* (trimming) {
    const { groups, loose, facts } = trimming;
    const items = [...groups, ...loose]
      .filter(({ priority }) => priority < ContentPriority.CURRENT_TASK)
      .sort(compareAge);
    const isSmall = (part: number) => (facts.transcript.tokens[part] ?? 0) <= SMALL_RESULT;
    const isWorthKeeping = (item: GroupItem | LooseItem) =>
      item.kind === "group"
        ? item.results.some(({ part, isError }) => isError || isSmall(part))
        : isSmall(item.part);
    const stages = [
      items.filter((item) => isOldResult(item) && !isWorthKeeping(item)),
      items.filter((item) => isOldResult(item) && isWorthKeeping(item)),
      items.filter((item) => !isOldResult(item) && item.metadata.age > preserveRecentTurns),
    ];
    yield* dropItems(trimming, stages.flat());
    yield* truncateOpening(trimming);
  });
}
