import { ContentPriority } from "./content-priority.ts";
import type { GroupItem, LooseItem } from "./survey.ts";
import { RECENT_STEPS, type TrimOptions, type TrimResult } from "./trim-options.ts";
import { compareAge, SMALL_RESULT } from "./trim-order.ts";
import { Trimmer } from "./trimmer.ts";

/**
 * The simpler strategy. First results older than `maxAge` steps are dropped, the oldest first, small ones and errors
 * last. Then all that is older than `preserveRecentTurns` steps.
 */
export function trimByAge<M>(messages: readonly M[], options: TrimOptions): TrimResult<M> {
  const { maxAge = 5, preserveRecentTurns = RECENT_STEPS } = options;
  const trimmer = new Trimmer(messages, options);
  const items = [...trimmer.groups, ...trimmer.loose]
    .filter(({ priority }) => priority < ContentPriority.CURRENT_TASK)
    .sort(compareAge);
  const isOldResult = (item: GroupItem | LooseItem) => item.kind !== "text" && item.metadata.age > maxAge;
  const isWorthKeeping = (item: GroupItem | LooseItem) =>
    item.kind === "group"
      ? item.results.some(({ part, isError }) => isError || trimmer.tokensOf(part) <= SMALL_RESULT)
      : trimmer.tokensOf(item.part) <= SMALL_RESULT;
  const stages = [
    items.filter((item) => isOldResult(item) && !isWorthKeeping(item)),
    items.filter((item) => isOldResult(item) && isWorthKeeping(item)),
    items.filter((item) => !isOldResult(item) && item.metadata.age > preserveRecentTurns),
  ];
  for (const item of stages.flat()) {
    if (trimmer.fits) break;
    trimmer.drop(item);
  }
  trimmer.truncateOpening();
  return trimmer.finish();
}
