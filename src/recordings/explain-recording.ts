import { createPruner, type PrunerOptions } from "../pruner.ts";
import type { Uncut } from "../reports/uncut.ts";
import type { Recording } from "./recording.ts";

/** Why nothing is cut in a recorded session; `undefined` where something is. Of several segments the last says why. */
export function explainRecording(recording: Recording, options: PrunerOptions): Uncut | undefined {
  const { format, segments } = recording;
  let uncut: Uncut | undefined;
  for (const { messages, meta, carried } of segments) {
    const { report } = createPruner({ ...options, format }).prune(messages, { meta, carried });
    uncut = report.uncut;
    if (!uncut) return undefined;
  }
  return uncut;
}
