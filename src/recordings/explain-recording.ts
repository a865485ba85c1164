import { createPruner, type PrunerOptions } from "../pruner.ts";
import type { Uncut } from "../reports/uncut.ts";
import type { Recording } from "./recording.ts";

/**
 * Explains why nothing is cut in a recorded session; `undefined` if something is. If there are several segments,
 * the last one decides.
 */
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
