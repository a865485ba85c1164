import { truncateModified } from "./trim-by-priority.ts";
import type { TrimOptions, TrimResult } from "./trim-options.ts";
import { compareItems, compareResults, TRIM_ORDER } from "./trim-order.ts";
import { Trimmer } from "./trimmer.ts";

/**
 * As `trimByPriority`, but results become placeholders, and their calls stay. A group is dropped only when placeholders
 * for its priority were not enough.
 *
 *   call read a.ts | 900 tokens     ->  call read a.ts | [Content truncated - file: a.ts - 9 steps ago - 900 tokens]
 */
export function trimWithPlaceholders<M>(messages: readonly M[], options: TrimOptions): TrimResult<M> {
  const trimmer = new Trimmer(messages, options);
  const results = trimmer.results.toSorted(compareResults);
  const items = [...trimmer.groups, ...trimmer.loose].sort(compareItems);
  for (const level of TRIM_ORDER) {
    for (const form of ["long", "short"] as const) {
      for (const item of results) {
        if (trimmer.fits) return trimmer.finish();
        if (item.priority === level) trimmer.truncate(item, form);
      }
    }
    for (const item of items) {
      if (trimmer.fits) return trimmer.finish();
      if (item.priority === level) trimmer.drop(item);
    }
  }
  truncateModified(trimmer);
  return trimmer.finish();
}
