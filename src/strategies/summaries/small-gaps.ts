import { estimateTokens } from "../../transcript/estimate.ts";
import { omission } from "./summary.ts";

/** Tokens of a line that says how many are left out. */
export const GAP_TOKENS: number = tokensOf(omission(100));

/** Tokens of a line and its end. */
export function tokensOf(line: string): number {
  return estimateTokens(line) + 1;
}

/** Keeps what is left out where saying so costs more. */
export function closeSmallGaps(lines: readonly string[], kept: boolean[]): void {
  for (let i = 0; i < lines.length; i++) {
    if (kept[i]) continue;
    let end = i;
    let tokens = 0;
    for (; end < lines.length && !kept[end]; end++)
      if (tokens <= GAP_TOKENS) tokens += tokensOf(lines[end] ?? "");
    if (tokens <= GAP_TOKENS) kept.fill(true, i, end);
    i = end;
  }
}
