import { isRecord, type JsonRecord } from "../basics/json.ts";
import type { Config, PartialConfig } from "./config.ts";
import { DEFAULT_CONFIG, PROTECTED_LISTS } from "./defaults.ts";

export interface Level {
  /** Its name in `origins`: a file, a variable, `options`. */
  readonly name: string;
  readonly config: PartialConfig;
}

export interface Merged {
  readonly config: Config;
  /** By dotted key, the level of each value; for a list that grows, the last level that changed it. */
  readonly origins: Readonly<Record<string, string>>;
}

/**
 * Merges the levels, key by key, each over the defaults and the levels before it. Protected lists grow from level to
 * level. A level's `unprotect` removes only names of the defaults and the levels before it.
 *
 *   { protectedFilePatterns: ["*.lock"] }, { unprotect: [".env"] }  ->  .env.*, …, Cargo.toml, *.lock
 */
export function mergeLevels(levels: readonly Level[]): Merged {
  const origins = new Map(DEFAULTS.origins);
  let config = DEFAULTS.config;
  for (const { name, config: over } of levels) {
    const remaining = takeOff(config, new Set(over.unprotect), { name, origins });
    config = layOver(remaining, over, { name, origins });
  }
  // The defaults have every key of Config, and each level has some of them.
  return { config: toLists(config) as unknown as Config, origins: Object.fromEntries(origins) };
}

/** The level under all others: merging copies what it changes. */
const DEFAULTS = layDefaults();

function layDefaults(): { readonly config: JsonRecord; readonly origins: ReadonlyMap<string, string> } {
  const origins = new Map<string, string>();
  return { config: layOver({}, { ...DEFAULT_CONFIG }, { name: "default", origins }), origins };
}

/** Merges two levels into one, the second over the first. */
export function combine(under: PartialConfig, over: PartialConfig): PartialConfig {
  return toLists(layOver(under, over, { name: "", origins: new Map() }));
}

interface Layer {
  readonly name: string;
  readonly origins: Map<string, string>;
}

function layOver(
  under: JsonRecord,
  over: JsonRecord,
  layer: Layer,
  path: readonly string[] = [],
): JsonRecord {
  const result = new Map(Object.entries(under));
  for (const [name, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const here = [...path, name];
    const key = here.join(".");
    const before = result.get(name);
    layer.origins.set(key, layer.name);
    if (isRecord(value)) {
      const merged = layOver(isRecord(before) ? before : {}, value, layer, here);
      result.set(name, merged);
      if (Object.keys(merged).length > 0) layer.origins.delete(key);
    } else {
      result.set(name, grows(key) ? union(before, value) : value);
    }
  }
  return Object.fromEntries(result);
}

function takeOff(
  config: JsonRecord,
  names: ReadonlySet<string>,
  layer: Layer,
  path: readonly string[] = [],
): JsonRecord {
  if (names.size === 0) return config;
  const entries = Object.entries(config).map(([name, value]) => {
    const here = [...path, name];
    const key = here.join(".");
    if (isRecord(value) && !(value instanceof Set)) return [name, takeOff(value, names, layer, here)];
    if (!PROTECTED_LISTS.includes(key)) return [name, value];
    const kept = toGrowing(value);
    const before = kept.size;
    for (const each of names) kept.delete(each);
    if (kept.size < before) layer.origins.set(key, layer.name);
    return [name, kept];
  });
  return Object.fromEntries(entries);
}

function grows(key: string): boolean {
  return key === "unprotect" || PROTECTED_LISTS.includes(key);
}

/** Lists that grow are sets during merging, so that each level costs time only for its additions. */
function union(before: unknown, added: unknown): unknown {
  if (before === undefined || !Array.isArray(added)) return added;
  const grown = toGrowing(before);
  for (const item of added) grown.add(item);
  return grown;
}

/** A set was made here and may be changed in place; a list belongs to a level and is copied. */
function toGrowing(list: unknown): Set<unknown> {
  return list instanceof Set ? list : new Set(Array.isArray(list) ? list : []);
}

function toLists(config: JsonRecord): JsonRecord {
  const entries = Object.entries(config).map(([name, value]) => {
    if (value instanceof Set) return [name, [...value]];
    return [name, isRecord(value) ? toLists(value) : value];
  });
  return Object.fromEntries(entries);
}
