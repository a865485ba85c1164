import { rememberAt } from "../basics/remember.ts";
import type { CutPlan } from "../edits/cut-plan.ts";
import { wasCut } from "../edits/own-marks.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Facts } from "../facts/facts.ts";
import type { SpentAges } from "../facts/spent.ts";
import type { IsProtectedFile } from "../redaction/check-names.ts";
import { kindOfText } from "../risk/need-table.ts";
import { editNeed, type Risk } from "../risk/risk.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import type { Ref } from "../transcript/refs.ts";
import type { BuiltIn } from "./built-in.ts";
import { countOwn, ownText, replacePart } from "./replacing/replace-part.ts";
import { watchWork } from "./replacing/watch-work.ts";
import { hasFailed } from "./summaries/has-failed.ts";
import { keepFailure } from "./summaries/keep-failure.ts";
import { readAgain } from "./summaries/read-again.ts";
import { renderLeft } from "./summaries/render-left.ts";
import { type Short, shortenSpent } from "./summaries/shorten-spent.ts";
import type { SummaryContext } from "./summaries/summary.ts";
import { findRule, type SummaryRules } from "./summaries/user-rules.ts";

export interface SpentOptions extends SpentAges {
  /**
   * Errors stay in full: a failed call keeps its whole result, and a failed command everything but passed tests and
   * progress.
   */
  readonly wholeErrors: boolean;
  /** The user's rules for a tool's results, which have precedence. */
  readonly rules: SummaryRules;
  readonly isProtectedFile: IsProtectedFile;
}

/**
 * Shrinks results that the agent no longer needs, long before they are old: the output of a command after it was
 * seen, a view of a file when its lines are unlikely to be edited. Lists the names in the omitted text that no
 * other part shows, the most needed first.
 *
 *   npm test | a step                        ->  [Pruned bash: npm test → ✓ success, numbers: 214, 0 · a1b2c3]
 *   read a.ts | many steps, nobody names it  ->  ... [180 lines omitted · read a.ts again · a1b2c3] ... | rate = …
 *   read a.ts, which the task names          ->  nothing yet
 *   webfetch failed | a step                 ->  nothing, while errors stay whole
 *   npm test failed | a step                 ->  ... [38 lines omitted · a1b2c3] ... | × divides | …: all but what passed
 */
export const spentResults: BuiltIn<SpentOptions> = {
  name: "spent-results",
  mechanism: "summaries",
  // Here, a result that a newer one refers to is as old as the newer one, so it may be replaced.
  mayReplace: { needed: true },
  settings: [
    {
      key: "strategies.spent.results",
      description:
        "Results become summaries after this many steps at the earliest; the cost of needing them again decides when.",
      default: 1,
    },
    {
      key: "strategies.spent.views",
      description:
        "The same for results that show files. `null`: as soon as their lines are unlikely to be edited again.",
      default: null,
      nullable: true,
    },
  ],
  isOn: ({ summarizes, spends }) => summarizes && spends,
  optionsFor: ({ strategies: { spent }, wholeErrors, rules, isProtectedFile }) => ({
    ...spent,
    wholeErrors,
    rules,
    isProtectedFile,
  }),
  propose: (step, facts, options) =>
    facts.spent.list(step, options).flatMap((fact) => {
      const aged = facts.rereads.agedWith(fact);
      return (aged && proposeShort(facts, aged, options)) ?? [];
    }),
};

/**
 * In tokens. Smaller results stay whole, whatever names they contain: the text that names them may be cut itself,
 * and then pruning again would give another result.
 */
const SMALL_RESULT = 80;

function proposeShort(
  facts: Facts,
  fact: CallFact,
  { views, wholeErrors, rules, isProtectedFile }: SpentOptions,
): CutPlan | undefined {
  const { call, result, use, ok, step } = fact;
  const part = facts.transcript.part(result);
  if (part.kind !== "result" || part.status === "cleared") return undefined;
  const text = ownText(facts, result);
  const tokens = countOwn(facts, result);
  if (tokens < SMALL_RESULT || wasCut(facts, result)) return undefined;
  const { exitCode } = part;
  const context: SummaryContext = {
    exitCode,
    failed: !ok,
    salience: facts.namedIn(result, text),
    room: 0,
    wholeErrors,
  };
  const rule = findRule(rules, facts.transcript.part(call), use);
  const kind = kindOfText(use);
  const summarizer = rule ?? (wholeErrors && hasFailed(use, text, context) ? keepFailure : undefined);
  const shortened = summarizer
    ? rememberAt(
        () => facts.transcript.version,
        () => toShort(summarizer(use, text, context)),
      )
    : shortenSpent(facts, use, { part: result, kind, text, tokens, step }, context, isProtectedFile);
  const short = shortened();
  if (short === undefined) return undefined;
  const render = (ref: Ref) => renderLeft(shortened()?.left ?? text, ref, readAgain(use));
  const gone = Math.max(0, 1 - estimateTokens(short.left) / tokens);
  const risk: Risk = {
    kind,
    tokens,
    step,
    names: short.need,
    edits: gone * editNeed(kind, tokens),
    ...(views === null && watchWork(facts, fact)),
  };
  return replacePart(facts, result, render, { reason: "no longer needed", risk });
}

function toShort(left: string | undefined): Short | undefined {
  return left === undefined ? undefined : { left, need: 0 };
}
