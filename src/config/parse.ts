import type { Issue } from "../basics/issue.ts";
import type { PartialConfig } from "./config.ts";
import { listFindings } from "./findings.ts";
import { mergeLevels } from "./merge.ts";
import { type Problem, toIssue } from "./problem.ts";
import { configSchema } from "./schema.ts";
import type { Path } from "./settings.ts";
import { sift } from "./sift.ts";

export interface Parsed {
  readonly config: PartialConfig;
  readonly issues: readonly Issue[];
}

/** Returns the line, from 1, of a key. */
export type Locate = (path: Path) => number | undefined;

/**
 * Reads a configuration from any value; never throws. A bad value is left out with its key (in a list, with its
 * entry), and the rest is used.
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

/** Like `parseConfig`, but with problems instead of issues, for callers that know the values of other levels. */
export function checkConfig(value: unknown, where?: string, locate?: Locate): Checked {
  const { config, problems } = check(value);
  return { config, problems: problems.map((problem) => withPlace(problem, where, locate)) };
}

function check(value: unknown): Checked {
  try {
    return checkAll(value);
  } catch {
    return checkSifted(value);
  }
}

/** May throw: if reading a value throws, or if there are more issues than a call can have arguments. */
function checkAll(value: unknown): Checked {
  // Compiling the schema takes longer than the few parses of a session.
  const result = configSchema.safeParse(value, { jitless: true });
  if (result.success) return { config: result.data, problems: [] };
  const findings = listFindings(result.error.issues, value);
  const problems = findings.flatMap(({ problem }) => problem ?? []);
  const dropped = findings.map((finding) => finding.dropped);
  if (dropped.some((path) => path.length === 0)) return { config: {}, problems };
  const rest = checkAll(omit(value, dropped));
  return { config: rest.config, problems: [...problems, ...rest.problems] };
}

function checkSifted(value: unknown): Checked {
  const sifted = sift(value);
  try {
    const rest = checkAll(sifted.value);
    return { config: rest.config, problems: [...sifted.problems, ...rest.problems] };
  } catch {
    return { config: {}, problems: [{ kind: "unreadable", path: [] }] };
  }
}

/** Adds file and line. A missing key is reported at the line of the object that should have it. */
function withPlace(problem: Problem, where = "", locate: Locate = () => undefined): Problem {
  const around = problem.path.map((_, index) => problem.path.slice(0, problem.path.length - index));
  const line = around.map(locate).find((found) => found !== undefined);
  const place = line === undefined ? where : `${where}:${line}`;
  return place === "" ? problem : { ...problem, where: place };
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
