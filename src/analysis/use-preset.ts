import type { Config, PresetName } from "../config/config.ts";

/** Flags that a configuration sets one by one are left out: they would make all presets the same. */
export function usePreset(config: Config, preset: PresetName): Config {
  return {
    ...config,
    shadow: false,
    strategies: { ...config.strategies, aggressivePruning: { preset } },
  };
}
