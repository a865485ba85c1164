import type { BuiltIn } from "./built-in.ts";
import { type SupersedeOptions, supersedeSeries } from "./replacing/supersede.ts";

/**
 * Keeps only the newest state of the todo list, written or read.
 *
 *   todowrite A | edit | todowrite B   ->  first result replaced
 *   task_create A | task_update B      ->  nothing: each is about one item
 */
export const todos: BuiltIn<SupersedeOptions> = {
  name: "todos",
  mechanism: "todo",
  mayReplace: { tools: ["todo"] },
  facts: ["todos"],
  optionsFor: ({ pruneToolInputs }) => ({ pruneToolInputs }),
  propose: (step, facts, options) =>
    supersedeSeries(step, facts, facts.series("todos"), () => "newer todo list", options),
};
