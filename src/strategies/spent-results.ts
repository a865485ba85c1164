import type { SpentAges } from "../facts/spent.ts";
import type { Strategy } from "./strategy.ts";
import { proposeSummary, type SummaryOptions } from "./summarize-results.ts";

export interface SpentOptions extends SummaryOptions {
  readonly ages: SpentAges;
}

/**
 * Results that an agent has done with shrink to their summaries, long before they are old: what a command printed after
 * a few steps, what shows a file after more, and not while that file is being edited.
 *
 *   npm test | 6 steps                       ->  [Pruned bash: npm test → ✓ success, numbers: 214, 0 · a1b2c3]
 *   read a.ts | 20 steps, a.ts unchanged     ->  first and last lines, and those that hold what was named
 *   read a.ts | edit a.ts | 20 steps         ->  nothing yet
 */
export const spentResults: Strategy<SpentOptions> = {
  name: "spent-results",
  propose: (step, facts, options) =>
    facts.spent.list(step, options.ages).flatMap((fact) => proposeSummary(facts, fact, options) ?? []),
};
