import type { BuiltIn } from "./built-in.ts";
import { shrinkInput } from "./replacing/shrink-input.ts";

export interface FailureAge {
  /** A failed call is old after more than this many steps. */
  readonly turns: number;
}

/**
 * Shrinks the large input of a call that failed long ago to the fields that say what it was about. Its result stays,
 * and so does the input of a protected tool.
 *
 *   multi_edit {filePath: "a.ts", edits: 5,000 characters} failed | 5 steps   ->  {filePath: "a.ts", edits: emptied}
 */
export const failedInputs: BuiltIn<FailureAge> = {
  name: "failed-inputs",
  mechanism: "errors",
  facts: ["failures"],
  settings: [
    {
      key: "strategies.purgeErrors.turns",
      description: "A failed call is old after this many turns; `truncateOldErrors` uses the same number.",
      default: 4,
    },
  ],
  isOn: ({ strategies }) => strategies.purgeErrors.enabled,
  optionsFor: ({ strategies }) => strategies.purgeErrors,
  propose: (step, facts, { turns }) =>
    facts.failures
      .grownOld(step, turns)
      .flatMap((failed) => shrinkInput(facts, failed, "it failed long ago") ?? []),
};
