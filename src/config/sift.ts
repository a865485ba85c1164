import * as z from "zod";
import { isRecord } from "../basics/json.ts";
import { type ConfigFinding, listFindings } from "./findings.ts";
import type { Problem } from "./problem.ts";
import { keysAt, type Path, schemaAt } from "./settings.ts";

/** At most this many bad entries of one list are reported. */
const MOST_REPORTED = 100;

export interface Sifted {
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

/**
 * For a configuration on which the schema throws: a copy without values that throw when read, and without bad list
 * entries, which may be more than a call can have arguments. Entries are checked one by one; if very many are bad,
 * only the first are reported.
 */
export function sift(root: unknown): Sifted {
  const problems: Problem[] = [];

  /** The valid part of a value, as a list of one; an empty list if there is none. */
  function keep(read: () => unknown, path: Path): readonly unknown[] {
    try {
      const value = copy(read(), path);
      // Only checks whether it throws. Problems are reported later.
      parse(value, path);
      return [value];
    } catch {
      problems.push({ kind: "unreadable", path });
      return [];
    }
  }

  function copy(value: unknown, path: Path): unknown {
    if (Array.isArray(value)) {
      const isGood = judgeEntries(path);
      return value.filter((entry, i) => isGood(entry, i));
    }
    if (!isRecord(value) || schemaAt(path) === undefined) return value;
    const named = new Set(keysAt(path));
    const isGood = judgeEntries(path);
    const entries = Object.keys(value).flatMap((key): [string, unknown][] => {
      const kept = keep(() => value[key], [...path, key]);
      const isNamed = named.has(key) || schemaAt([...path, key]) === undefined;
      return kept.filter((each) => isNamed || isGood(each, key)).map((each) => [key, each]);
    });
    return Object.fromEntries(entries);
  }

  /**
   * Returns whether an entry is valid. Entries of lists, and those with keys of the user's own, are dropped as a
   * whole.
   */
  function judgeEntries(path: Path): (entry: unknown, key: string | number) => boolean {
    let reported = 0;
    return (entry, key) => {
      const at = [...path, key];
      try {
        const issues = parse(entry, at);
        if (issues.length === 0) return true;
        if (reported++ < MOST_REPORTED) tell(listFindings(issues, root, at));
        else if (reported === MOST_REPORTED + 1) problems.push({ kind: "and-more", path });
      } catch {
        problems.push({ kind: "unreadable", path: at });
      }
      return false;
    };
  }

  function tell(findings: readonly ConfigFinding[]): void {
    for (const { problem } of findings) if (problem) problems.push(problem);
  }

  const [value = {}] = keep(() => root, []);
  return { value, problems };
}

function parse(value: unknown, path: Path): readonly z.core.$ZodIssue[] {
  const schema = schemaAt(path);
  return (schema && z.safeParse(schema, value, { jitless: true }).error?.issues) ?? [];
}
