import type { SessionPrefix } from "../../analysis/session-prefix.ts";
import { countOf, formatNumber, formatPercent } from "./format.ts";

/** `This session has called 3 of 12 tools; the other 9 are 8,000 tokens, 31% of it.` */
export function sayUnused({ tokens, toolCount, unused }: SessionPrefix): string {
  if (toolCount === 0) return "It has no tools.";
  const called = toolCount - unused.tools;
  if (unused.tools === 0) return `This session has called ${toolCount === 1 ? "its tool" : "all its tools"}.`;
  const others = unused.tools === 1 ? "the other is" : `the other ${unused.tools} are`;
  const share = formatPercent(tokens === 0 ? 0 : unused.tokens / tokens);
  return `This session has called ${called} of ${countOf(toolCount, "tool")}; ${others} ${formatNumber(unused.tokens)} tokens, ${share} of it.`;
}
