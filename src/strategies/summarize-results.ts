import type { CutPlan } from "../edits/cut-plan.ts";
import { wasCut } from "../edits/own-marks.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Facts } from "../facts/facts.ts";
import { kindOfText } from "../risk/need-table.ts";
import { editNeed } from "../risk/risk.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import { estimateLeaf } from "../transcript/estimate-leaf.ts";
import type { Leaf } from "../transcript/part.ts";
import type { Ref } from "../transcript/refs.ts";
import { mainLeaf } from "../transcript/refs.ts";
import type { BuiltIn } from "./built-in.ts";
import { ownText, replacePart } from "./replacing/replace-part.ts";
import { watchWork } from "./replacing/watch-work.ts";
import { hasFailed } from "./summaries/has-failed.ts";
import { readAgain } from "./summaries/read-again.ts";
import { renderLeft } from "./summaries/render-left.ts";
import { NAMED_ROOM, NO_SALIENCE, type Salience } from "./summaries/salience.ts";
import { summarize } from "./summaries/summarize.ts";
import { plainMarker, type Summarizer } from "./summaries/summary.ts";
import { findRule, type SummaryRules } from "./summaries/user-rules.ts";

export interface SummarizeOptions {
  /** If off, only `[Tool output pruned - N chars]` remains, unless a rule keeps more or an error stays in full. */
  readonly intelligentPruning: boolean;
  /** The fewest tokens that the waiting summaries must save together before any is cut. */
  readonly pruneMinimum: number;
  /** Errors stay in full. */
  readonly wholeErrors: boolean;
  readonly rules: SummaryRules;
  /** If it is a number, the state of a view's files in the work is ignored. */
  readonly views: number | null;
}

/**
 * Shrinks old results to the information for which an agent would run the tool again.
 *
 *   list_files, 127 lines, now outside the protect window
 *   ->  [Pruned list_files: 127 files, e.g., a.py, b.py, c.py... · a1b2c3]
 *
 * If only some lines stay, lines with names mentioned before the cut are preferred.
 */
export const summarizeResults: BuiltIn<SummarizeOptions> = {
  name: "summarize-results",
  mechanism: "summaries",
  // Here, a result that a newer one refers to is as old as the newer one, so it may be replaced.
  mayReplace: { needed: true },
  settings: [
    {
      key: "strategies.pruneMinimum",
      description:
        "Summaries of old results must save this many tokens together before the first is made. This limits nothing else, and pressure does not wait for it.",
      default: 20_000,
    },
  ],
  isOn: ({ shrinks }) => shrinks,
  optionsFor: ({ strategies: { intelligentPruning, pruneMinimum, spent }, wholeErrors, rules }) => ({
    intelligentPruning,
    pruneMinimum,
    wholeErrors,
    rules,
    views: spent.views,
  }),
  propose: (step, facts, options) =>
    step.aged.flatMap((part) => {
      const fact = facts.calls.of(part);
      const aged = fact?.result === part ? facts.rereads.agedWith(fact) : undefined;
      return (aged && proposeSummary(facts, aged, options)) ?? [];
    }),
};

function proposeSummary(facts: Facts, fact: CallFact, options: SummarizeOptions): CutPlan | undefined {
  const part = facts.transcript.part(fact.result);
  const main = mainLeaf(part.leaves);
  if (part.kind !== "result" || part.status === "cleared" || !main) return undefined;
  if (wasCut(facts, fact.result)) return undefined;
  const rule = findRule(options.rules, facts.transcript.part(fact.call), fact.use);
  const summarizer = rule ?? (options.intelligentPruning ? summarize : summarizePlainly);
  if (!rule && isSmall(main, 0)) return undefined;
  const { wholeErrors } = options;
  const text = ownText(facts, fact.result);
  const summarizeWith = (salience: Salience) =>
    summarizer(fact.use, text, { exitCode: part.exitCode, failed: !fact.ok, salience, wholeErrors });
  const least = summarizeWith(NO_SALIENCE);
  if (least === undefined || (!rule && isSmall(main, estimateTokens(least)))) return undefined;
  const named = facts.namedIn(fact.result, text);
  const render = (ref: Ref) => renderLeft(summarizeWith(named) ?? least, ref, readAgain(fact.use));
  return replacePart(facts, fact.result, render, {
    reason: "an old result",
    risk: {
      kind: kindOfText(fact.use),
      tokens: estimateLeaf(main),
      step: fact.step,
      names: 0,
      edits: editNeed(kindOfText(fact.use), estimateLeaf(main)),
      ...(options.views === null && watchWork(facts, fact)),
    },
    batch: { name: "summaries", minimum: options.pruneMinimum },
  });
}

/**
 * Small results stay whole. Whether one is small must not depend on mentioned names: the text that mentions them
 * may be cut itself, and then pruning again would give another result. So a summary must be smaller even if all
 * room for named lines is used.
 *
 * @param least tokens of the summary without named lines
 */
function isSmall(main: Leaf, least: number): boolean {
  return estimateLeaf(main) < least + NAMED_ROOM;
}

const summarizePlainly: Summarizer = (use, text, context) =>
  context.wholeErrors && hasFailed(use, text, context) ? undefined : plainMarker(text);
