export { PROTECTED_FILES, PROTECTED_TOOLS } from "../protection/defaults.ts";
export type { Config, PartialConfig } from "./config.ts";
export { DEFAULT_CONFIG } from "./defaults.ts";
export { configFromEnvironment, environmentName } from "./environment.ts";
export { type LoadedConfig, type LoadOptions, loadConfig } from "./files.ts";
export { type Level, type Merged, mergeLevels } from "./merge.ts";
export { parseConfig } from "./parse.ts";
export { PRESETS, resolveFlags } from "./presets.ts";
