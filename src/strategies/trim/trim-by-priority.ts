import { ContentPriority } from "./content-priority.ts";
import type { TrimOptions, TrimResult } from "./trim-options.ts";
import { compareItems, compareResults, TRIM_ORDER } from "./trim-order.ts";
import { Trimmer } from "./trimmer.ts";

/**
 * Drops messages until the rest fits: the lowest priority first, and of one priority the oldest. A call and its results
 * are dropped together. System text, agent instructions and the current task stay. Results about modified files become
 * placeholders, and only when nothing lower is left.
 *
 *   system | user | 12 × (call, result) | user     ->  system | 4 × (call, result) | user
 *
 * Throws a `ContextOverflowError` where what must stay does not fit.
 */
export function trimByPriority<M>(messages: readonly M[], options: TrimOptions): TrimResult<M> {
  const trimmer = new Trimmer(messages, options);
  for (const item of [...trimmer.groups, ...trimmer.loose].sort(compareItems)) {
    if (trimmer.fits) break;
    if (TRIM_ORDER.includes(item.priority)) trimmer.drop(item);
  }
  truncateModified(trimmer);
  return trimmer.finish();
}

/** The last resort: placeholders for the results that are left, those about modified files last. */
export function truncateModified<M>(trimmer: Trimmer<M>): void {
  trimmer.truncateOpening();
  const left = trimmer.results
    .filter(({ priority }) => priority <= ContentPriority.MODIFIED_FILES)
    .sort(compareResults);
  for (const form of ["long", "short"] as const) {
    for (const item of left) {
      if (trimmer.fits) return;
      trimmer.truncate(item, form);
    }
  }
}
