import type { AggressiveFlags, AggressivePruning, PresetName } from "./config.ts";

const COMPACT: AggressiveFlags = {
  pruneToolInputs: true,
  pruneStepMarkers: true,
  pruneSourceUrls: true,
  pruneFiles: true,
  pruneSnapshots: true,
  pruneRetryParts: true,
  pruneRereads: true,
  pruneLineNumbers: "padding",
  stateQuerySupersede: true,
  aggressiveFilePrune: true,
  pruneUserCodeBlocks: true,
  truncateOldErrors: true,
};

export const PRESETS: Readonly<Record<PresetName, AggressiveFlags>> = {
  compact: COMPACT,
  balanced: {
    ...COMPACT,
    pruneRereads: false,
    aggressiveFilePrune: "views",
    pruneUserCodeBlocks: false,
    truncateOldErrors: false,
  },
  verbose: {
    pruneToolInputs: false,
    pruneStepMarkers: false,
    pruneSourceUrls: false,
    pruneFiles: false,
    pruneSnapshots: false,
    pruneRetryParts: false,
    pruneRereads: false,
    pruneLineNumbers: false,
    stateQuerySupersede: false,
    aggressiveFilePrune: false,
    pruneUserCodeBlocks: false,
    truncateOldErrors: false,
  },
};

/**
 * The effective flags: an explicit flag has precedence over the preset's. In `{ preset: "verbose", pruneFiles: true
 * }`, only `pruneFiles` is on.
 */
export function resolveFlags({ preset, ...flags }: AggressivePruning): AggressiveFlags {
  return { ...PRESETS[preset], ...flags };
}
