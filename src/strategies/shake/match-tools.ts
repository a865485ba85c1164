import type { Facts } from "../../facts/facts.ts";
import { compileGlobs } from "../../globs.ts";
import type { ProtectedToolMatcher } from "./shake-config.ts";

/** Says of a result's index whether any of the matchers is about it. */
export function matchTools(
  matchers: readonly ProtectedToolMatcher[],
): (facts: Facts, result: number) => boolean {
  const names = matchers.flatMap((matcher) => (typeof matcher === "string" ? matcher.toLowerCase() : []));
  const predicates = matchers.filter((matcher) => typeof matcher !== "string");
  const matches = compileGlobs(names);
  const known = new Map<string, boolean>();
  const matchesName = (name: string) => {
    const isMatch = known.get(name) ?? matches(name);
    known.set(name, isMatch);
    return isMatch;
  };
  return ({ transcript, calls }, index) => {
    const result = transcript.part(index);
    if (result.kind !== "result") return false;
    const fact = calls.of(index);
    const call = fact && transcript.part(fact.call);
    if (call?.kind !== "call") return predicates.some((isAbout) => isAbout(result, undefined, undefined));
    return (
      (fact && matchesName(fact.use.name)) ||
      matchesName(call.tool.toLowerCase()) ||
      predicates.some((isAbout) => isAbout(result, call, fact?.use))
    );
  };
}
