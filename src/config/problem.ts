import type { Issue } from "../basics/issue.ts";
import { shorten } from "../basics/show-value.ts";
import type { Merged } from "./merge.ts";
import { resolveFlags } from "./presets.ts";
import type { Path } from "./settings.ts";

/** A problem with one level, before the values of other levels are known. */
export interface Problem {
  readonly kind: "invalid-value" | "unknown-key" | "unreadable" | "and-more";
  readonly path: Path;
  /** A file and line, or a variable. */
  readonly where?: string;
  /** For `invalid-value`: a description of the expected value. */
  readonly expected?: string;
  readonly got?: string;
  /** The dotted key that was probably meant. */
  readonly nearest?: string;
}

/**
 * Describes a problem, and the value that is used instead.
 *
 *   strategies.pruneProtect: expected a whole number ≥ 0, got "lots"; using 40000 (default)
 *   tools.settings.protectedTools[1]: expected a string, got 5; left out
 *   strategies.pruneProtct: unknown key, ignored; did you mean strategies.pruneProtect?
 *   window: it can't be read; using null (default)
 */
export function toIssue(problem: Problem, merged: Merged): Issue {
  const { kind, path, expected, got, nearest, where } = problem;
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  const isWrong = {
    "unknown-key": () => "unknown key, ignored",
    "invalid-value": () => `expected ${expected}, got ${got}; ${describeSubstitute(path, merged)}`,
    "and-more": () => "more of its entries are wrong; left out",
    unreadable: () => `it can't be read; ${describeSubstitute(path, merged)}`,
  };
  const what = isWrong[kind]();
  return {
    code: CODES[kind],
    severity: kind === "unknown-key" ? "warning" : "error",
    message: `${formatPath(path)}: ${what}${hint}`,
    ...(where !== undefined && { where }),
  };
}

const CODES = {
  "unknown-key": "config-unknown-key",
  "invalid-value": "config-invalid-value",
  "and-more": "config-invalid-value",
  unreadable: "config-unreadable",
} as const;

/** `["summaries", 0, "keep"]` -> `summaries[0].keep` */
export function formatPath(path: Path): string {
  const text = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");
  return text.replace(/^\./, "") || "configuration";
}

function describeSubstitute(path: Path, { config, origins }: Merged): string {
  if (path.some((key) => typeof key === "number")) return "left out";
  const origin = origins[path.join(".")];
  if (origin !== undefined) return `using ${shorten(JSON.stringify(valueAt(config, path)))} (${origin})`;
  const [room, group, ...flag] = path;
  const { aggressivePruning } = config.strategies;
  if (room !== "strategies" || group !== "aggressivePruning" || flag.length === 0) return "ignored";
  return `using ${JSON.stringify(valueAt(resolveFlags(aggressivePruning), flag))} (${aggressivePruning.preset})`;
}

/** The value at a path; `undefined` if there is none. */
export function valueAt(from: unknown, path: Path): unknown {
  let value: unknown = from;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
