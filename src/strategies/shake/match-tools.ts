import type { Facts } from "../../facts/facts.ts";
import { PROTECTED_TOOLS } from "../../protection/defaults.ts";
import { matchNames } from "../../tool-kinds/match-names.ts";
import type { ProtectedToolMatcher } from "./shake-config.ts";

/** Returns whether any of the matchers matches a result. */
export function matchTools(
  matchers: readonly ProtectedToolMatcher[],
): (facts: Facts, result: number) => boolean {
  const names = matchers.filter((matcher) => typeof matcher === "string");
  const predicates = matchers.filter((matcher) => typeof matcher !== "string");
  const matchesName = matchNames(names, PROTECTED_TOOLS);
  return ({ transcript, calls }, index) => {
    const result = transcript.part(index);
    if (result.kind !== "result") return false;
    const fact = calls.of(index);
    const call = fact && transcript.part(fact.call);
    if (call?.kind !== "call") return predicates.some((isAbout) => isAbout(result, undefined, undefined));
    return (
      (fact && matchesName(call.tool, fact.use)) ||
      predicates.some((isAbout) => isAbout(result, call, fact?.use))
    );
  };
}
