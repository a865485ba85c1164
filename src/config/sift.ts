import * as z from "zod";
import { isRecord } from "../basics/json.ts";
import { type Finding, listFindings } from "./findings.ts";
import type { Problem } from "./problem.ts";
import { keysAt, type Path, schemaAt } from "./settings.ts";

/** Bad entries of one list. */
const MOST_TOLD = 100;

export interface Sifted {
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

/**
 * A copy of a configuration that the schema can't go through at once, without what it can't go through: values that throw
 * when they are read, and lists with more bad entries than a call can take as arguments. Entries are looked at one by one,
 * and of very many bad ones the first are told.
 */
export function sift(root: unknown): Sifted {
  const problems: Problem[] = [];

  /** What of a value is left, in a list; none where nothing is. */
  function keep(read: () => unknown, path: Path): readonly unknown[] {
    try {
      const value = copy(read(), path);
      // Does it throw? What it finds is told later, of all that is left.
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

  /** An entry of a list, or under a name of the user's own, counts as a whole or not at all. */
  function judgeEntries(path: Path): (entry: unknown, key: string | number) => boolean {
    let told = 0;
    return (entry, key) => {
      const at = [...path, key];
      try {
        const issues = parse(entry, at);
        if (issues.length === 0) return true;
        if (told++ < MOST_TOLD) tell(listFindings(issues, root, at));
        else if (told === MOST_TOLD + 1) problems.push({ kind: "and-more", path });
      } catch {
        problems.push({ kind: "unreadable", path: at });
      }
      return false;
    };
  }

  function tell(findings: readonly Finding[]): void {
    for (const { problem } of findings) if (problem) problems.push(problem);
  }

  const [value = {}] = keep(() => root, []);
  return { value, problems };
}

function parse(value: unknown, path: Path): readonly z.core.$ZodIssue[] {
  const schema = schemaAt(path);
  return (schema && z.safeParse(schema, value, { jitless: true }).error?.issues) ?? [];
}
