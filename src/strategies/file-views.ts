import { proposeStale } from "./replacing/stale-operations.ts";
import type { SupersedeOptions } from "./replacing/supersede.ts";
import type { Strategy } from "./strategy.ts";

/**
 * Keeps one operation per file: any newer operation makes the older ones stale.
 *
 *   read a | write a | edit a          ->  the edit stays
 *   read a:1-99 | read a:100-200       ->  nothing: neither shows what the other does
 *   read a and b | edit a              ->  nothing yet: the view of b is still current
 */
export const fileOperations: Strategy<SupersedeOptions> = {
  name: "file-views",
  mechanism: "file",
  mayReplace: { tools: ["write", "edit"], files: ["read", "write", "edit", "delete"] },
  propose: (step, facts, options) => proposeStale(step.files, facts, facts.strict, options),
};

/**
 * Keeps the text of a file that the agent needs for further edits: the newest full view and the edits after it.
 *
 *   read a | edit a | edit a           ->  nothing
 *   read a | edit a | read a | edit a  ->  the second read and the second edit stay
 *   read a:1-50 | read a:1-99          ->  the second stays
 */
export const fileViews: Strategy<SupersedeOptions> = {
  name: "file-views",
  mechanism: "file",
  mayReplace: { tools: ["write", "edit"], files: ["write", "edit"] },
  propose: (step, facts, options) => proposeStale(step.files, facts, facts.views, options),
};
