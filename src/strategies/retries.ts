import type { Strategy } from "./strategy.ts";
import { type SupersedeOptions, supersede } from "./supersede.ts";

/**
 * Failed calls go once the same tool has succeeded on the same target.
 *
 *   fetch u failed | fetch u                ->  first result replaced
 *   fetch u failed | fetch u failed         ->  nothing: what went wrong is all that is known
 *   fetch u | fetch u failed | fetch u      ->  second result replaced; the first is no failure
 */
export const retries: Strategy<SupersedeOptions> = {
  name: "retries",
  propose: (step, facts, options) =>
    step.completed
      .filter(({ ok }) => ok)
      .flatMap((fact) =>
        facts.attempts
          .supersededBy(fact)
          .filter(({ ok }) => !ok)
          .flatMap((failed) => supersede(facts, failed, `this ${fact.use.kind} succeeded later`, options)),
      ),
};
