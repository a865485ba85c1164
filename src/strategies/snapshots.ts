import { type SupersedeOptions, supersedeSeries } from "./replacing/supersede.ts";
import type { Strategy } from "./strategy.ts";

/**
 * Keeps only the newest snapshot of the same thing: a page, a screen. Which tools take snapshots, `tool-kinds/` knows.
 * What such a result has in pictures stays with the provider's block; only its text goes.
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
