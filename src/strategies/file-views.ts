import type { BuiltIn } from "./built-in.ts";
import type { Flag } from "./pass-setting.ts";
import { proposeStale } from "./replacing/stale-operations.ts";
import type { SupersedeOptions } from "./replacing/supersede.ts";

/** Two ways to prune what newer operations on a file supersede: the strict one, and one that keeps views. */
const FILE_PRUNE: Flag = {
  key: "aggressiveFilePrune",
  description:
    'Which older operations on a file a newer one replaces. `true`: all of them. `"views"`: all except the newest full view and the edits after it. `false`: none.',
  values: ["views"],
  presets: { compact: true, balanced: "views", verbose: false },
};

/**
 * Keeps one operation per file: any newer operation makes the older ones stale.
 *
 *   read a | write a | edit a          ->  the edit stays
 *   read a:1-99 | read a:100-200       ->  nothing: neither shows what the other does
 *   read a and b | edit a              ->  nothing yet: the view of b is still current
 */
export const fileOperations: BuiltIn<SupersedeOptions> = {
  name: "file-views",
  mechanism: "file",
  mayReplace: { tools: ["write", "edit"], files: ["read", "write", "edit", "delete"] },
  flag: FILE_PRUNE,
  facts: ["strict"],
  optionsFor: ({ pruneToolInputs }) => ({ pruneToolInputs }),
  propose: (step, facts, options) => proposeStale(step.files, facts, facts.operations("strict"), options),
};

/**
 * Keeps the text of a file that the agent needs for further edits: the newest full view and the edits after it.
 *
 *   read a | edit a | edit a           ->  nothing
 *   read a | edit a | read a | edit a  ->  the second read and the second edit stay
 *   read a:1-50 | read a:1-99          ->  the second stays
 */
export const fileViews: BuiltIn<SupersedeOptions> = {
  name: "file-views",
  mechanism: "file",
  mayReplace: { tools: ["write", "edit"], files: ["write", "edit"] },
  flag: FILE_PRUNE,
  onAt: "views",
  facts: ["views"],
  optionsFor: ({ pruneToolInputs }) => ({ pruneToolInputs }),
  propose: (step, facts, options) => proposeStale(step.files, facts, facts.operations("views"), options),
};
