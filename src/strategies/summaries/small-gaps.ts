import { estimateTokens } from "../../transcript/estimate.ts";
import type { LineList } from "./lines.ts";
import { omission } from "./summary.ts";

/** Tokens of a line that says how many lines are omitted. */
export const GAP_TOKENS: number = tokensOf(omission(100));

/** Tokens of a line with its line break. */
export function tokensOf(line: string): number {
  return estimateTokens(line) + 1;
}

/** Keeps omitted lines if the line that replaces them would be as long. */
export function closeSmallGaps(lines: LineList, kept: boolean[]): void {
  for (let i = 0; i < lines.length; i++) {
    if (kept[i]) continue;
    let end = i;
    let tokens = 0;
    for (; end < lines.length && !kept[end]; end++)
      if (tokens <= GAP_TOKENS) tokens += tokensOf(lines.at(end) ?? "");
    if (tokens <= GAP_TOKENS) kept.fill(true, i, end);
    i = end;
  }
}
