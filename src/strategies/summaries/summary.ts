import { countOf, formatNumber } from "../../basics/numbers.ts";
import type { ToolUse } from "../../tool-kinds/tool-use.ts";
import type { Salience } from "./salience.ts";

/** Data on a result in addition to its text. */
export interface SummaryContext {
  readonly exitCode?: number | undefined;
  /** The host marks the result as an error. */
  readonly failed?: boolean | undefined;
  readonly salience: Salience;
  /** Tokens of lines that may stay because they contain named literals. */
  readonly room?: number;
  /** Errors stay in full, not only their most telling lines. */
  readonly wholeErrors?: boolean;
}

/** Returns the part of a result's text that stays; `undefined`: all of it. Must be pure. */
export type Summarizer = (use: ToolUse, text: string, context: SummaryContext) => string | undefined;

export function omission(lines: number): string {
  return `... [${countOf(lines, "line")} omitted] ...`;
}

export function plainMarker(text: string): string {
  return `[Tool output pruned - ${formatNumber(text.length)} chars]`;
}

/** A headline alone, or with lines below it: `[Pruned grep: 2 matches, first 1:`, a match, `... +1 more]`. */
export function bracket(headline: string, lines: readonly string[] = []): string {
  return lines.length === 0 ? `[Pruned ${headline}]` : `[Pruned ${headline}:\n${lines.join("\n")}]`;
}

const OMISSION = /^\.\.\. \[[\d,]+ lines? omitted\] \.\.\.$/m;
const LAST_LINE = /(?:^|\n)\[Pruned [^\n]*\]$/;

/**
 * Adds the ref of the cut, so that the agent can recall the original.
 *
 *   [Pruned tree: ~4 directories, 9 lines of structure]   ->   […, 9 lines of structure · a1b2c3]
 *   ... [180 lines omitted] ...                           ->   ... [180 lines omitted · a1b2c3] ...
 */
export function addRef(summary: string, ref: string): string {
  if (/^\[[\s\S]*\]$/.test(summary) || LAST_LINE.test(summary)) return `${summary.slice(0, -1)} · ${ref}]`;
  const gap = OMISSION.exec(summary);
  if (!gap) return `${summary}\n[pruned · ${ref}]`;
  const end = gap.index + gap[0].lastIndexOf("] ...");
  return `${summary.slice(0, end)} · ${ref}${summary.slice(end)}`;
}
