import type { BuiltIn } from "./built-in.ts";
import { onIn } from "./pass-setting.ts";
import { type SupersedeOptions, supersedeSeries } from "./replacing/supersede.ts";

/**
 * Keeps only the newest snapshot of the same page or screen. `tool-kinds/` knows which tools take snapshots. Only
 * the text of a result is replaced; its pictures stay.
 *
 *   browser_snapshot {} | click | browser_snapshot {filename: "b.md"}   ->  first result replaced
 *   browser_snapshot {ref: "e1"} | browser_snapshot {ref: "e2"}         ->  nothing: two elements
 */
export const snapshots: BuiltIn<SupersedeOptions> = {
  name: "snapshots",
  mechanism: "snapshot",
  flag: {
    key: "pruneSnapshots",
    description: "Only the newest snapshot of the same page, screen or file stays.",
    presets: onIn("compact", "balanced"),
  },
  facts: ["snapshots"],
  optionsFor: ({ pruneToolInputs }) => ({ pruneToolInputs }),
  propose: (step, facts, options) =>
    supersedeSeries(step, facts, facts.series("snapshots"), () => "newer snapshot", options),
};
