import { type SupersedeOptions, supersedeSeries } from "./replacing/supersede.ts";
import type { Strategy } from "./strategy.ts";

/**
 * Keeps only the newest snapshot of the same page or screen. `tool-kinds/` knows which tools take snapshots. Only
 * the text of a result is replaced; its pictures stay.
 *
 *   browser_snapshot {} | click | browser_snapshot {filename: "b.md"}   ->  first result replaced
 *   browser_snapshot {ref: "e1"} | browser_snapshot {ref: "e2"}         ->  nothing: two elements
 */
export const snapshots: Strategy<SupersedeOptions> = {
  name: "snapshots",
  mechanism: "snapshot",
  propose: (step, facts, options) =>
    supersedeSeries(step, facts, facts.snapshots, () => "newer snapshot", options),
};
