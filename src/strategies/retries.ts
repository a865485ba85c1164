import { type SupersedeOptions, supersede } from "./replacing/supersede.ts";
import type { Strategy } from "./strategy.ts";

/**
 * Replaces failed results once the same tool has succeeded on the same target, whatever the rest of the inputs.
 * This includes protected tools that change files, and protected files.
 *
 *   edit a.ts failed | edit a.ts                  ->  first result replaced
 *   edit a.ts failed | edit a.ts failed           ->  nothing: nothing has succeeded yet
 *   edit a.ts | edit a.ts failed | edit a.ts      ->  second result replaced; the first is no failure
 */
export const retries: Strategy<SupersedeOptions> = {
  name: "retries",
  mechanism: "retry",
  mayReplace: { tools: ["write", "edit"], files: ["write", "edit"] },
  propose: (step, facts, options) =>
    step.completed
      .filter(({ ok }) => ok)
      .flatMap((fact) =>
        facts.attempts
          .supersededBy(fact)
          .filter(({ ok }) => !ok)
          .flatMap((failed) => supersede(facts, failed, "it succeeded later", options)),
      ),
};
