import type * as z from "zod";
import type { Issue } from "../basics/issue.ts";
import { showValue } from "../basics/show-value.ts";
import type { PartialConfig } from "./config.ts";
import { mergeLevels } from "./merge.ts";
import { findNearest } from "./nearest.ts";
import { formatPath, type Problem, toIssue, valueAt } from "./problem.ts";
import { configSchema } from "./schema.ts";
import { describeSchema, keysAt, listSettings, type Path, schemaAt } from "./settings.ts";

export interface Parsed {
  readonly config: PartialConfig;
  readonly issues: readonly Issue[];
}

/** The line, from 1, on which a key stands. */
export type Locate = (path: Path) => number | undefined;

/**
 * What of a value is configuration. A bad value costs its own key (in a list, its own entry) and nothing else.
 * Takes any value and does not throw.
 */
export function parseConfig(value: unknown, where?: string, locate?: Locate): Parsed {
  const { config, problems } = checkConfig(value, where, locate);
  const merged = mergeLevels([{ name: where ?? "options", config }]);
  return { config, issues: problems.map((problem) => toIssue(problem, merged)) };
}

export interface Checked {
  readonly config: PartialConfig;
  readonly problems: readonly Problem[];
}

/** As `parseConfig`, for a caller who knows the other levels and so what is used instead. */
export function checkConfig(value: unknown, where?: string, locate?: Locate): Checked {
  // Compiling the schema takes longer than the few parses of a session.
  const result = configSchema.safeParse(value, { jitless: true });
  if (result.success) return { config: result.data, problems: [] };
  const findings = result.error.issues.flatMap(chooseAlternative).flatMap((issue) => inspect(issue, value));
  const problems = findings.flatMap(({ problem }) => (problem ? [withPlace(problem, where, locate)] : []));
  const dropped = findings.map((finding) => finding.dropped);
  if (dropped.some((path) => path.length === 0)) return { config: {}, problems };
  const rest = checkConfig(omit(value, dropped), where, locate);
  return { config: rest.config, problems: [...problems, ...rest.problems] };
}

interface Finding {
  readonly dropped: Path;
  readonly problem?: Problem;
}

function inspect(issue: z.core.$ZodIssue, root: unknown): readonly Finding[] {
  const path = toPath(issue.path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      dropped: [...path, key],
      problem: { kind: "unknown-key", path: [...path, key], ...nearestKey(path, key) },
    }));
  }
  const dropped = throughFirstIndex(path);
  const got = valueAt(root, path);
  const isUnset = got === undefined && path.length > 0 && !isInList(path);
  if (isUnset) return [{ dropped }];
  const expected = describeExpected(issue, path);
  const key = path.at(-1);
  const nearest = typeof key === "string" ? nearestKey(path.slice(0, -1), key) : {};
  return [{ dropped, problem: { kind: "invalid-value", path, expected, got: showValue(got), ...nearest } }];
}

function describeExpected(issue: z.core.$ZodIssue, path: Path): string {
  const schema = schemaAt(path);
  if (path.length === 0) return "an object";
  return issue.code === "custom" || schema === undefined ? issue.message : describeSchema(schema);
}

/** Of several forms, the one whose keys were used: its issues say more than "none of them". */
function chooseAlternative(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.filter(
    (errors) =>
      errors.every(({ code }) => code !== "unrecognized_keys") && errors.some(({ path }) => path.length > 0),
  );
  const [only] = meant;
  if (only === undefined || meant.length > 1) return [issue];
  return only.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function isInList(path: Path): boolean {
  return path.some((key) => typeof key === "number");
}

/** An entry of a list counts as a whole or not at all. */
function throughFirstIndex(path: Path): Path {
  const index = path.findIndex((key) => typeof key === "number");
  return index < 0 ? path : path.slice(0, index + 1);
}

/** The one key of that name elsewhere, else one like it beside it, else one like it elsewhere; in a list, only beside it. */
function nearestKey(parent: Path, key: string): { readonly nearest?: string } {
  const siblings = keysAt(parent);
  if (siblings.includes(key)) return {};
  const sibling = findNearest(key, siblings);
  const known = isInList(parent) ? NO_KEYS : listKeys();
  const name = findNearest(key, [...known.keys()]);
  const [elsewhere, ...others] = known.get(name ?? "") ?? [];
  const isOnly = elsewhere !== undefined && others.length === 0;
  if (isOnly && (name === key || sibling === undefined)) return { nearest: formatPath(elsewhere) };
  return sibling === undefined ? {} : { nearest: formatPath([...parent, sibling]) };
}

type Keys = ReadonlyMap<string, readonly Path[]>;
const NO_KEYS: Keys = new Map();
let allKeys: Keys | undefined;

/** Where each key stands, by its name. */
function listKeys(): Keys {
  if (allKeys) return allKeys;
  const keys = new Map<string, Path[]>();
  for (const { path } of listSettings()) {
    const name = path.at(-1) ?? "";
    keys.set(name, [...(keys.get(name) ?? []), path]);
  }
  allKeys = keys;
  return keys;
}

/** A key that is missing is reported where it should stand. */
function withPlace(problem: Problem, where = "", locate: Locate = () => undefined): Problem {
  const around = problem.path.map((_, index) => problem.path.slice(0, problem.path.length - index));
  const line = around.map(locate).find((found) => found !== undefined);
  const place = line === undefined ? where : `${where}:${line}`;
  return place === "" ? problem : { ...problem, where: place };
}

function toPath(path: readonly PropertyKey[]): Path {
  return path.map((key) => (typeof key === "symbol" ? String(key) : key));
}

function omit(value: unknown, paths: readonly Path[]): unknown {
  if (paths.length === 0 || typeof value !== "object" || value === null) return value;
  const rests = new Map<string | number | undefined, Path[]>();
  for (const [key, ...rest] of paths) {
    const known = rests.get(key);
    if (known) known.push(rest);
    else rests.set(key, [rest]);
  }
  const keep = <K extends string | number>([key, item]: readonly [K, unknown]): [K, unknown][] => {
    const inside = rests.get(key) ?? [];
    return inside.some((path) => path.length === 0) ? [] : [[key, omit(item, inside)]];
  };
  if (Array.isArray(value)) return [...value.entries()].flatMap(keep).map(([, item]) => item);
  return Object.fromEntries(Object.entries(value).flatMap(keep));
}
