import type { BuiltIn } from "./built-in.ts";
import { type SupersedeOptions, supersedeSeries } from "./replacing/supersede.ts";

/**
 * Keeps only the newest answer of Coppice's own tools. The effects of a `context_prune` stay, because it is read
 * from the original transcript.
 *
 *   context_info | context_prune discard a1b2c3   ->  first result replaced
 *   context_recall a1b2c3 | context_info          ->  nothing: the agent asked for that text
 */
export const contextCalls: BuiltIn<SupersedeOptions> = {
  name: "context-calls",
  mechanism: "context",
  mayReplace: { tools: ["context"] },
  facts: ["contextCalls"],
  optionsFor: ({ pruneToolInputs }) => ({ pruneToolInputs }),
  propose: (step, facts, options) =>
    supersedeSeries(step, facts, facts.series("contextCalls"), () => "newer context call", options),
};
