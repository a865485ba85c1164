import { type SupersedeOptions, supersedeSeries } from "./replacing/supersede.ts";
import type { Strategy } from "./strategy.ts";

/**
 * Keeps only the newest state of the todo list, written or read.
 *
 *   todowrite A | edit | todowrite B   ->  first result replaced
 *   task_create A | task_update B      ->  nothing: each is about one item
 */
export const todos: Strategy<SupersedeOptions> = {
  name: "todos",
  mechanism: "todo",
  mayReplace: { tools: ["todo"] },
  propose: (step, facts, options) =>
    supersedeSeries(step, facts, facts.todos, () => "newer todo list", options),
};
