import * as z from "zod";
import type { PartialConfig } from "./config.ts";
import { combine, type Level, mergeLevels } from "./merge.ts";
import { findNearest } from "./nearest.ts";
import { checkConfig, type Parsed } from "./parse.ts";
import { type Problem, toIssue } from "./problem.ts";
import { listSettings, type Setting } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings in the variables of an environment. An empty variable is not set.
 *
 *   COPPICE_STRATEGIES_PRUNE_PROTECT=20000   COPPICE_SHADOW=on
 *   COPPICE_TOOLS_SETTINGS_PROTECTED_TOOLS=deploy,notes_*
 *   COPPICE_SCHEDULE_PRICES='{ "claude-*": { "read": 0.05 } }'
 */
export function configFromEnvironment(env: Environment): Parsed {
  const { levels, problems } = checkEnvironment(env);
  const merged = mergeLevels(levels);
  return {
    config: levels.reduce<PartialConfig>((config, level) => combine(config, level.config), {}),
    issues: problems.map((problem) => toIssue(problem, merged)),
  };
}

/** Like `configFromEnvironment`, but with each variable as a separate level, to merge with other levels. */
export function checkEnvironment(env: Environment): {
  readonly levels: readonly Level[];
  readonly problems: readonly Problem[];
} {
  const variables = listVariables();
  const checked = variables.flatMap(({ name, setting }) => {
    const text = env[name]?.trim();
    if (!text) return [];
    const value = setting.path.reduceRight<unknown>(
      (inner, key) => ({ [key]: inner }),
      readText(text, setting.schema),
    );
    return [{ name, ...checkConfig(value, name) }];
  });
  const known = new Set([...variables.map(({ name }) => name), ...OTHERS]);
  const unknown = Object.keys(env).filter((name) => name.startsWith("COPPICE_") && !known.has(name));
  return {
    levels: checked.map(({ name, config }) => ({ name, config })),
    problems: [
      ...checked.flatMap(({ problems }) => problems),
      ...unknown.map((name) => toUnknownVariable(name, [...known])),
    ],
  };
}

/** Not settings: the token and the store of a proxy, and the addresses that `wrap` gives to the program it starts. */
const OTHERS = ["COPPICE_TOKEN", "COPPICE_STORE", "COPPICE_MCP_URL", "COPPICE_URL"];

/** `["strategies", "pruneProtect"]` -> `COPPICE_STRATEGIES_PRUNE_PROTECT` */
export function environmentName(path: readonly string[]): string {
  return `COPPICE_${path.map(toCapitals).join("_")}`;
}

interface Variable {
  readonly name: string;
  readonly setting: Setting;
}

const SHORT_NAMED = ["intelligentPruning", "pruneProtect", "pruneMinimum", "compactThreshold"];

/** Weakest first: other tools' names, short names, full names; a group before its keys. */
function listVariables(): readonly Variable[] {
  const settings = listSettings();
  const short = settings.filter(
    ({ path }) => path[0] === "strategies" && SHORT_NAMED.includes(path[1] ?? ""),
  );
  const capitals = ({ path }: Setting) => toCapitals(path.at(-1) ?? "");
  return [
    ...short.map((setting) => ({ name: `PATCHPAL_${capitals(setting)}`, setting })),
    ...short.map((setting) => ({ name: `COPPICE_${capitals(setting)}`, setting })),
    ...settings.map((setting) => ({ name: environmentName(setting.path), setting })),
  ];
}

function toCapitals(key: string): string {
  return key.replace(/(?<=[a-z0-9])[A-Z]/g, "_$&").toUpperCase();
}

const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["on", true],
  ["false", false],
  ["0", false],
  ["no", false],
  ["off", false],
]);

/** The value of a text under this schema; if it has none, the text itself, so that the check reports it. */
function readText(text: string, schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodBoolean || schema instanceof z.ZodUnion)
    return BOOLEAN_WORDS.get(text.toLowerCase()) ?? text;
  if (schema instanceof z.ZodNullable) return text === "null" ? null : readText(text, schema.unwrap());
  if (schema instanceof z.ZodNumber) return Number.isNaN(Number(text)) ? text : Number(text);
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodString && !text.startsWith("[")) {
    return text.split(",").flatMap((item) => item.trim() || []);
  }
  return schema instanceof z.ZodArray || schema instanceof z.ZodObject ? readJson(text) : text;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toUnknownVariable(name: string, known: readonly string[]): Problem {
  const nearest = findNearest(name, known);
  return { kind: "unknown-key", path: [name], where: name, ...(nearest !== undefined && { nearest }) };
}
