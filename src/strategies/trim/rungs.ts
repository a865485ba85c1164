import { remember } from "../../basics/remember.ts";
import type { Proposal } from "../../edits/proposal.ts";
import type { Facts } from "../../facts/facts.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import type { Part } from "../../transcript/part.ts";
import { replacePart } from "../replacing/replace-part.ts";
import type { Rung, Shown } from "../rung.ts";
import { ContentPriority } from "./content-priority.ts";
import { textOf } from "./file-accesses.ts";
import { renderPlaceholder } from "./placeholder.ts";
import { findResultPath } from "./result-path.ts";
import { type GroupItem, type ResultItem, surveyGroups, surveyResults } from "./survey.ts";
import type { TrimStrategy } from "./trim-options.ts";
import { compareAge, compareItems, compareResults, SMALL_RESULT, TRIM_ORDER } from "./trim-order.ts";

export interface TrimRungOptions {
  readonly strategy: TrimStrategy;
  readonly preserveRecentTurns: number;
  readonly maxAge: number;
}

/**
 * Replaces results by placeholders, in trim order. Their refs can be recalled.
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
        const proposal = proposePlaceholder(facts, shown, item);
        if (proposal) yield proposal;
      }
    },
  };
}

/** Drops whole groups, in trim order. Those about modified files or with instructions stay. */
export function dropRung(options: TrimRungOptions): Rung {
  const { strategy, preserveRecentTurns } = options;
  return {
    name: "trim-groups",
    mechanism: "trim",
    propose(facts, shown) {
      const groups = surveyGroups(facts, survey(facts, shown, options));
      const may = ({ priority, metadata }: GroupItem) =>
        TRIM_ORDER.includes(priority) &&
        (strategy === "priority-based" || metadata.age > preserveRecentTurns);
      const order = strategy === "priority-based" ? compareItems : compareAge;
      return groups
        .filter(may)
        .sort(order)
        .map(({ part }): Proposal => ({ part, drop: true, reason: "it did not fit" }));
    },
  };
}

/** The results of the session without those that were dropped, which are most of them in a long session. */
function survey(facts: Facts, shown: Shown, { preserveRecentTurns }: TrimRungOptions): readonly ResultItem[] {
  const { transcript, files } = facts;
  const rules = {
    ageOf: (step: number) => transcript.lastStep + 1 - step,
    recent: preserveRecentTurns,
    wasModified: (path: string) => files.wasModified(path),
    findFile: findResultPath,
  };
  return surveyResults(facts, rules, (part) => shown.tokens[part] === 0);
}

/** What was shortened before counts as a summary and goes first, unless it is about modified files. */
function withCut(item: ResultItem, shown: Shown): ResultItem {
  const isSummary = item.priority < ContentPriority.MODIFIED_FILES && shown.isCut(item.part);
  return isSummary ? { ...item, priority: ContentPriority.SUMMARIZED } : item;
}

function listInOrder(
  facts: Facts,
  results: readonly ResultItem[],
  { strategy, preserveRecentTurns, maxAge }: TrimRungOptions,
): readonly ResultItem[] {
  const may = results.filter(({ priority }) => priority <= ContentPriority.MODIFIED_FILES);
  if (strategy === "priority-based") return may.sort(compareResults);
  const old = may.filter(({ metadata }) => metadata.age > Math.max(maxAge, preserveRecentTurns));
  const isSpared = ({ part, isError }: ResultItem) =>
    isError || (facts.transcript.tokens[part] ?? 0) <= SMALL_RESULT;
  return [...old.filter((item) => !isSpared(item)), ...old.filter(isSpared)];
}

function proposePlaceholder(facts: Facts, shown: Shown, item: ResultItem): Proposal | undefined {
  const { part, metadata } = item;
  const tokens = countText(facts.transcript.part(part));
  const truncated = { path: metadata.filePath, age: metadata.age, tokens };
  const size = estimateTokens(renderPlaceholder(truncated, "000000"));
  if (size >= (shown.tokens[part] ?? 0)) return undefined;
  return replacePart(facts, part, (ref) => renderPlaceholder(truncated, ref), { reason: "it did not fit" });
}

const countText = remember((part: Part) => estimateTokens(textOf(part)));
