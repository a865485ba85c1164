import type { Config } from "../config/config.ts";
import { type Mechanism, SUPERSEDING } from "../edits/mechanism.ts";
import { makePolicy } from "../fold/policy.ts";
import { createPruner } from "../pruner.ts";
import type { Recording } from "../recordings/recording.ts";
import { mechanismOf } from "../reports/tally.ts";
import { usePreset } from "./use-preset.ts";

/** For each segment, and each request in it: the number of tokens that newer text had already replaced. */
export function measureStale(recording: Recording, config: Config): readonly ((step: number) => number)[] {
  const eager = usePreset({ ...config, schedule: { ...config.schedule, mode: "eager" } }, "compact");
  const passes = makePolicy({ config: eager }).passes.filter(isSuperseding);
  const pruner = createPruner({ format: recording.format, config: eager, passes, ladder: [] });
  const [model] = recording.models;
  return recording.segments.map(({ messages, meta, carried }, index) => {
    const request = { session: `${index}`, meta, carried, ...(model !== undefined && { model }) };
    const { report } = pruner.prune(messages, request);
    const saved: number[] = [];
    for (const { edit, request } of report.edits)
      if (edit.type !== "undo" && isSuperseding(edit)) saved[request] = (saved[request] ?? 0) + edit.saved;
    let sum = 0;
    const upTo = Array.from({ length: report.steps + 1 }, (_, request) => (sum += saved[request] ?? 0));
    // Counted from the end: there were no requests for the answers that a compaction kept.
    return (left: number) => upTo[report.steps - left] ?? 0;
  });
}

function isSuperseding(by: { readonly mechanism?: Mechanism }): boolean {
  return SUPERSEDING.includes(mechanismOf(by));
}
