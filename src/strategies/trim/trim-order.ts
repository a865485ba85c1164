import { ContentPriority } from "./content-priority.ts";
import type { Prioritized } from "./prioritize.ts";
import type { GroupItem, LooseItem, ResultItem } from "./survey.ts";

/** The priorities that may be dropped, in this order. */
export const TRIM_ORDER: readonly ContentPriority[] = [
  ContentPriority.SUMMARIZED,
  ContentPriority.STALE_TOOL_OUTPUTS,
  ContentPriority.OLD_HISTORY,
  ContentPriority.RECENT_FILE_READS,
  ContentPriority.RECENT_TURNS,
];

/** In tokens. The age-based strategy cuts results up to this size last. */
export const SMALL_RESULT = 100;

/** The results that may be shortened, those about modified files last. */
export function orderResults(results: readonly ResultItem[]): readonly ResultItem[] {
  return results
    .filter(({ priority }) => priority <= ContentPriority.MODIFIED_FILES)
    .sort((a, b) => comparePriority(a, b) || a.part - b.part);
}

/** The items that may be dropped. */
export function orderItems<I extends GroupItem | LooseItem>(items: readonly I[]): readonly I[] {
  return items
    .filter(({ priority }) => TRIM_ORDER.includes(priority))
    .sort((a, b) => comparePriority(a, b) || compareAge(a, b));
}

/** Oldest first; the text next to a group's calls directly after the group. */
export function compareAge(a: GroupItem | LooseItem, b: GroupItem | LooseItem): number {
  return placeOf(a) - placeOf(b) || Number(b.kind === "group") - Number(a.kind === "group");
}

/** Lowest priority first; within a priority, results about files last. */
function comparePriority(a: Prioritized, b: Prioritized): number {
  const isFile = ({ metadata }: Prioritized) => Number(metadata.filePath !== undefined);
  return a.priority - b.priority || isFile(a) - isFile(b);
}

function placeOf(item: GroupItem | LooseItem): number {
  return item.kind === "group" ? item.part : (item.after ?? item.part);
}
