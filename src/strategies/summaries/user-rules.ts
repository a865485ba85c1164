import { formatNumber } from "../../basics/numbers.ts";
import { compileGlobs } from "../../expressions/globs.ts";
import type { ToolUse } from "../../tool-kinds/tool-use.ts";
import type { Part } from "../../transcript/part.ts";
import { compileLineExpression } from "./line-expression.ts";
import { capLine, renderLines, splitLines } from "./lines.ts";
import { plainMarker, type Summarizer } from "./summary.ts";

/** The part of a result that a user's rule keeps: its ends, the lines that match, or a replacement text. */
export type SummaryKeep =
  | { readonly first?: number; readonly last?: number }
  | { readonly lines: string }
  | { readonly template: string };

export interface SummaryRule {
  /** A tool's name or a glob over names. */
  readonly tool: string;
  readonly keep: SummaryKeep;
}

/** Returns the user's summarizer for a tool, from the first rule that matches. */
export type SummaryRules = (tool: string) => Summarizer | undefined;

/** Leaves out rules with an unusable expression: reading the configuration reports those. */
export function compileSummaryRules(rules: readonly SummaryRule[]): SummaryRules {
  const compiled = rules.flatMap(({ tool, keep }) => {
    const summarizer = compileKeep(keep);
    return summarizer ? [{ fits: compileGlobs([tool], { nocase: true, dot: true }), summarizer }] : [];
  });
  return (tool) => compiled.find(({ fits }) => fits(tool))?.summarizer;
}

/** A rule may name the tool as the model calls it, or without a server's prefix. */
export function findRule(rules: SummaryRules, call: Part, use: ToolUse): Summarizer | undefined {
  return (call.kind === "call" ? rules(call.tool) : undefined) ?? rules(use.name);
}

function compileKeep(keep: SummaryKeep): Summarizer | undefined {
  const keeper = keeperOf(keep);
  return keeper && ((use, text) => keeper(use.name, text));
}

function keeperOf(keep: SummaryKeep): ((tool: string, text: string) => string) | undefined {
  if ("template" in keep) return (tool, text) => fillTemplate(keep.template, tool, text);
  if (!("lines" in keep)) return (_, text) => keepEnds(text, keep.first ?? 0, keep.last ?? 0);
  const expression = compileLineExpression(keep.lines);
  return expression && ((_, text) => keepMatching(text, expression));
}

function keepEnds(text: string, first: number, last: number): string {
  const lines = splitLines(text).map((line) => capLine(line));
  return renderLines(lines, (i) => i < first || i >= lines.length - last);
}

function keepMatching(text: string, expression: RegExp): string {
  const lines = splitLines(text).map((line) => capLine(line));
  const matches = lines.map((line) => expression.test(line));
  return matches.includes(true) ? renderLines(lines, (i) => matches[i] === true) : plainMarker(text);
}

/** Fills in `{tool}`, `{chars}` and `{lines}`. */
function fillTemplate(template: string, tool: string, text: string): string {
  const values = new Map([
    ["tool", tool],
    ["chars", formatNumber(text.length)],
    ["lines", formatNumber(splitLines(text).length)],
  ]);
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => values.get(name) ?? placeholder);
}
