import type { PrefixAnalysis } from "../analysis/prefix-share.ts";
import { countOf } from "../basics/numbers.ts";
import { percent } from "../replay/table.ts";

/**
 * The cost of the prefix, in one line; empty if unknown.
 *
 *   Prefix: 28.6% of the bill, 41.0% of it for tools that were never used (12 sessions, by today's definitions)
 */
export function sayPrefix(prefix: PrefixAnalysis | undefined): string {
  if (!prefix || prefix.dollars === 0) return "";
  const { share, unused, agents } = prefix;
  const each =
    agents.length > 1
      ? ` (${agents.map(({ agent, share: own }) => `${agent} ${percent(own)}`).join(", ")})`
      : "";
  const never = unused
    ? `, ${percent(unused.share)} of it for tools that were never used (${countOf(unused.sessions, "session")}, by today's definitions)`
    : "";
  return `Prefix: ${percent(share)} of the bill${each}${never}`;
}
