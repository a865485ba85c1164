import type * as z from "zod";
import { showValue } from "../basics/show-value.ts";
import { findNearest } from "./nearest.ts";
import { formatPath, type Problem, valueAt } from "./problem.ts";
import { describeSchema, keysAt, listSettings, type Path, schemaAt } from "./settings.ts";

/** A problem: the value to drop, and the issue to report. A value that is merely unset is not reported. */
export interface ConfigFinding {
  readonly dropped: Path;
  readonly problem?: Problem;
}

/** The problems that the schema finds in a configuration, or in its value at the path `at`. */
export function listFindings(
  issues: readonly z.core.$ZodIssue[],
  root: unknown,
  at: Path = [],
): readonly ConfigFinding[] {
  return issues
    .map((issue) => (at.length === 0 ? issue : { ...issue, path: [...at, ...issue.path] }))
    .flatMap(chooseAlternative)
    .flatMap((issue) => inspect(issue, root));
}

function inspect(issue: z.core.$ZodIssue, root: unknown): readonly ConfigFinding[] {
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

/**
 * If a value may have several forms: the issues of the form whose keys were used, because these are the most
 * helpful.
 */
function chooseAlternative(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const suggestion = issue.errors.filter(
    (errors) =>
      errors.every(({ code }) => code !== "unrecognized_keys") && errors.some(({ path }) => path.length > 0),
  );
  const [only] = suggestion;
  if (only === undefined || suggestion.length > 1) return [issue];
  return only.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function isInList(path: Path): boolean {
  return path.some((key) => typeof key === "number");
}

/** The path of the list entry that a path leads into: an entry of a list is dropped as a whole. */
function throughFirstIndex(path: Path): Path {
  const index = path.findIndex((key) => typeof key === "number");
  return index < 0 ? path : path.slice(0, index + 1);
}

/**
 * The key that was probably meant: the only one of that name elsewhere, or else a similar one in the same group, or
 * else a similar one elsewhere. Inside a list, only keys of the same entry.
 */
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

/** By name, the paths of all keys. */
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

function toPath(path: readonly PropertyKey[]): Path {
  return path.map((key) => (typeof key === "symbol" ? String(key) : key));
}
