import type { Config, PartialConfig } from "../config/config.ts";
import { loadConfig } from "../config/files.ts";
import type { PresetName } from "../strategies/pass-setting.ts";
import { PRESET_NAMES } from "../strategies/pass-setting.ts";
import { Failure } from "./failure.ts";
import type { Screen } from "./screen.ts";

export interface Settings {
  readonly config: Config;
  /** The mode, if it was configured. */
  readonly mode: Config["schedule"]["mode"] | undefined;
}

/** The settings for the working folder, from files and environment. Mistakes are reported and ignored. */
export function readSettings(screen: Screen, preset: string | undefined): Settings {
  const overrides: PartialConfig = preset
    ? { strategies: { aggressivePruning: { preset: readPreset(preset) } } }
    : {};
  const { config, origins, issues } = loadConfig({ host: "none", directory: process.cwd(), overrides });
  for (const { where, message } of issues)
    screen.note(where === undefined ? message : `${where}: ${message}`);
  return { config, mode: origins["schedule.mode"] === "default" ? undefined : config.schedule.mode };
}

function readPreset(name: string): PresetName {
  const preset = PRESET_NAMES.find((each) => each === name);
  if (preset) return preset;
  throw new Failure(`There is no preset ${JSON.stringify(name)}: use ${PRESET_NAMES.join(", ")}.`, 2);
}
