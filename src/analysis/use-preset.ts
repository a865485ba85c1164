import type { Config } from "../config/config.ts";
import type { PresetName } from "../strategies/pass-setting.ts";

/** Leaves out flags that a configuration sets one by one: they would make all presets equal. */
export function usePreset(config: Config, preset: PresetName): Config {
  return {
    ...config,
    shadow: false,
    strategies: { ...config.strategies, aggressivePruning: { preset } },
  };
}
