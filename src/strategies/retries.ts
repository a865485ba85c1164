import type { BuiltIn } from "./built-in.ts";
import { onIn } from "./pass-setting.ts";
import { type SupersedeOptions, supersede } from "./replacing/supersede.ts";

/**
 * Replaces failed results once the same tool has succeeded on the same target, whatever the rest of the inputs.
 * This includes protected tools that change files, and protected files.
 *
 *   edit a.ts failed | edit a.ts                  ->  first result replaced
 *   edit a.ts failed | edit a.ts failed           ->  nothing: nothing has succeeded yet
 *   edit a.ts | edit a.ts failed | edit a.ts      ->  second result replaced; the first is no failure
 */
export const retries: BuiltIn<SupersedeOptions> = {
  name: "retries",
  mechanism: "retry",
  mayReplace: { tools: ["write", "edit"], files: ["write", "edit"] },
  flag: {
    key: "pruneRetryParts",
    description: "Failed calls are cut once the same tool has succeeded on the same target.",
    presets: onIn("compact", "balanced"),
  },
  facts: ["attempts"],
  optionsFor: ({ pruneToolInputs }) => ({ pruneToolInputs }),
  propose: (step, facts, options) =>
    step.completed
      .filter(({ ok }) => ok)
      .flatMap((fact) =>
        facts
          .series("attempts")
          .supersededBy(fact)
          .filter(({ ok }) => !ok)
          .flatMap((failed) => supersede(facts, failed, "it succeeded later", options)),
      ),
};
