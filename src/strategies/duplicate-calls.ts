import type { BuiltIn } from "./built-in.ts";
import { type SupersedeOptions, supersedeSeries } from "./replacing/supersede.ts";

/**
 * Keeps only the result of the newest of equal calls: same tool, deeply equal input. A read of a protected file may
 * also be replaced, because the newer one shows the same file.
 *
 *   read {path: a} | read {path: a}          ->  first result replaced
 *   read {path: a} | read {path: a} failed   ->  nothing: a failure shows less than the result before it
 */
export const duplicateCalls: BuiltIn<SupersedeOptions> = {
  name: "duplicate-calls",
  mechanism: "hash",
  mayReplace: { files: ["read"] },
  facts: ["sameCalls"],
  optionsFor: ({ pruneToolInputs }) => ({ pruneToolInputs }),
  propose: (step, facts, options) =>
    supersedeSeries(
      step,
      facts,
      facts.series("sameCalls"),
      ({ use }) => `the same ${use.name} call was made again`,
      options,
    ),
};
