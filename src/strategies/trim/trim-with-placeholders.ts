import { dropItems } from "./opening.ts";
import type { Prioritized } from "./prioritize.ts";
import { truncateLeft } from "./trim-by-priority.ts";
import { trimMessages } from "./trim-messages.ts";
import type { TrimOptions, TrimResult } from "./trim-options.ts";
import { orderItems, orderResults, TRIM_ORDER } from "./trim-order.ts";
import { truncateResults } from "./truncate-results.ts";

/**
 * Like `trimByPriority`, but results become placeholders, and their calls stay. A group is dropped only if
 * placeholders for its priority were not enough.
 *
 *   call read a.ts | 900 tokens     ->  call read a.ts | [Content truncated - file: a.ts - 9 steps ago - 900 tokens]
 */
export function trimWithPlaceholders<M>(messages: readonly M[], options: TrimOptions): TrimResult<M> {
  return trimMessages(messages, options, function* (trimming) {
    const results = orderResults(trimming.results);
    const items = orderItems([...trimming.groups, ...trimming.loose]);
    for (const level of TRIM_ORDER) {
      const isOfLevel = ({ priority }: Prioritized) => priority === level;
      yield* truncateResults(trimming, results.filter(isOfLevel));
      yield* dropItems(trimming, items.filter(isOfLevel));
    }
    yield* truncateLeft(trimming);
  });
}
