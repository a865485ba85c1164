import type { CutPlan } from "../../edits/cut-plan.ts";
import type { CallFact } from "../../facts/calls.ts";
import type { Delta, Facts } from "../../facts/facts.ts";
import type { Series } from "../../facts/series.ts";
import { replacePart } from "./replace-part.ts";
import { shrinkInput } from "./shrink-input.ts";

export interface SupersedeOptions {
  /** Shrink large inputs of superseded calls to the fields that say what the call was about? */
  readonly pruneToolInputs: boolean;
}

/**
 * Plans to replace the result of a stale call with a marker that says why, and to shrink its input if configured.
 */
export function supersede(
  facts: Facts,
  stale: CallFact,
  reason: string,
  { pruneToolInputs }: SupersedeOptions,
): readonly CutPlan[] {
  const result = replacePart(facts, stale.result, (ref) => `[superseded: ${reason} · ${ref}]`, { reason });
  const input = pruneToolInputs ? shrinkInput(facts, stale, reason) : undefined;
  return [result ?? [], input ?? []].flat();
}

/** The same for all calls of a series that this step's calls made stale. */
export function supersedeSeries(
  step: Delta,
  facts: Facts,
  series: Series,
  reasonFor: (newer: CallFact) => string,
  options: SupersedeOptions,
): readonly CutPlan[] {
  return step.completed.flatMap((newer) =>
    series.supersededBy(newer).flatMap((stale) => supersede(facts, stale, reasonFor(newer), options)),
  );
}
