import type { PresetName } from "../strategies/pass-setting.ts";
import { FLAGS } from "../strategies/passes.ts";
import type { AggressivePruning } from "./config.ts";
import type { AggressiveFlags } from "./pass-options.ts";

/** The flags of each preset, as the passes state them. */
export const PRESETS: Readonly<Record<PresetName, AggressiveFlags>> = {
  compact: flagsOf("compact"),
  balanced: flagsOf("balanced"),
  verbose: flagsOf("verbose"),
};

function flagsOf(preset: PresetName): AggressiveFlags {
  const flags = Object.fromEntries(FLAGS.map(({ key, presets }) => [key, presets[preset]]));
  return flags as unknown as AggressiveFlags;
}

/**
 * The effective flags: an explicit flag has precedence over the preset's. In `{ preset: "verbose", pruneFiles: true
 * }`, only `pruneFiles` is on.
 */
export function resolveFlags({ preset, ...flags }: AggressivePruning): AggressiveFlags {
  return { ...PRESETS[preset], ...flags };
}
