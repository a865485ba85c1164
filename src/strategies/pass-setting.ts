export const PRESET_NAMES = ["compact", "balanced", "verbose"] as const;

export type PresetName = (typeof PRESET_NAMES)[number];

export type FlagValue = boolean | string;

/** A switch under `strategies.aggressivePruning`. The pass that owns it states everything about it. */
export interface Flag {
  readonly key: string;
  readonly description: string;
  /** The values besides `true` and `false`. */
  readonly values?: readonly string[];
  readonly presets: Readonly<Record<PresetName, FlagValue>>;
}

/** A whole number in the configuration that a pass owns. */
export interface NumberSetting {
  /** The key with its groups: `strategies.spent.rested`. */
  readonly key: string;
  readonly description: string;
  readonly default: number | null;
  /** The smallest value. Default: 0. */
  readonly least?: number;
  /** `null` is a valid value too. */
  readonly nullable?: true;
}

/** On in these presets, off in the others. */
export function onIn(...names: readonly PresetName[]): Flag["presets"] {
  const isOn = (name: PresetName) => names.includes(name);
  return { compact: isOn("compact"), balanced: isOn("balanced"), verbose: isOn("verbose") };
}
