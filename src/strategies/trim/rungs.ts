import type { Facts } from "../../facts/facts.ts";
import type { Rung, ShownSession } from "../rung.ts";
import { ContentPriority } from "./content-priority.ts";
import { renderPlaceholder } from "./placeholder.ts";
import { type GroupItem, makeRules, type ResultItem, surveyGroups, surveyResults } from "./survey.ts";
import type { TrimStrategy } from "./trim-options.ts";
import { compareAge, orderItems, orderResults, SMALL_RESULT } from "./trim-order.ts";
import { describeResult, proposeDrop, proposePlaceholder } from "./trim-plans.ts";

export interface TrimRungOptions {
  readonly strategy: TrimStrategy;
  readonly preserveRecentTurns: number;
  readonly maxAge: number;
}

/**
 * Replaces results with placeholders, in trim order. Their refs can be recalled.
 *
 *   900 tokens of a.ts   ->  [Content truncated - file: a.ts - 9 steps ago - 900 tokens · a1b2c3]
 */
export function placeholderRung(options: TrimRungOptions): Rung {
  return {
    name: "trim-placeholders",
    mechanism: "trim",
    *propose(facts, shown) {
      const results = survey(facts, shown, options).map((item) => withCut(item, shown));
      for (const item of listInOrder(facts, results, options)) {
        const truncated = describeResult(facts, item);
        const render = (ref: string) => renderPlaceholder(truncated, ref);
        const plan = proposePlaceholder(facts, shown, item.part, render);
        if (plan) yield plan;
      }
    },
  };
}

/** Drops whole groups, in trim order, except those about modified files or with instructions. */
export function dropRung(options: TrimRungOptions): Rung {
  const { strategy, preserveRecentTurns } = options;
  return {
    name: "trim-groups",
    mechanism: "trim",
    propose(facts, shown) {
      const may = orderItems(surveyGroups(facts, survey(facts, shown, options)));
      if (strategy === "priority-based") return may.map(proposeDrop);
      const isOld = ({ metadata }: GroupItem) => metadata.age > preserveRecentTurns;
      return may.filter(isOld).sort(compareAge).map(proposeDrop);
    },
  };
}

/** The results of the session without the dropped ones, which are most of them in a long session. */
function survey(
  facts: Facts,
  shown: ShownSession,
  { preserveRecentTurns }: TrimRungOptions,
): readonly ResultItem[] {
  return surveyResults(facts, makeRules(facts, preserveRecentTurns), (part) => shown.tokens[part] === 0);
}

/** A part that was shortened before counts as a summary and is cut first, unless it is about modified files. */
function withCut(item: ResultItem, shown: ShownSession): ResultItem {
  const isSummary = item.priority < ContentPriority.MODIFIED_FILES && shown.isCut(item.part);
  return isSummary ? { ...item, priority: ContentPriority.SUMMARIZED } : item;
}

function listInOrder(
  { transcript }: Facts,
  results: readonly ResultItem[],
  { strategy, preserveRecentTurns, maxAge }: TrimRungOptions,
): readonly ResultItem[] {
  const may = orderResults(results);
  if (strategy === "priority-based") return may;
  const isOld = ({ metadata }: ResultItem) => metadata.age > Math.max(maxAge, preserveRecentTurns);
  const old = may.filter(isOld).sort((a, b) => a.part - b.part);
  const isSpared = ({ part, isError }: ResultItem) =>
    isError || (transcript.tokens[part] ?? 0) <= SMALL_RESULT;
  return [...old.filter((item) => !isSpared(item)), ...old.filter(isSpared)];
}
