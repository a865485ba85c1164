import type { Config } from "../config/config.ts";
import type { PresetName } from "../strategies/pass-setting.ts";

/** Flags that a configuration sets one by one are left out: they would make all presets the same. */
export function usePreset(config: Config, preset: PresetName): Config {
  return {
    ...config,
    shadow: false,
    strategies: { ...config.strategies, aggressivePruning: { preset } },
  };
}
