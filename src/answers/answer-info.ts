import type { AgentView } from "../agent/agent-view.ts";
import { listPrunable, type Prunable, writeAvailable } from "../agent/prunable.ts";
import { describePart, describeWhere } from "../agent/subject.ts";
import { countOf, formatNumber } from "../basics/numbers.ts";
import { AGENT } from "../edits/authors.ts";
import type { Cut } from "../edits/edit.ts";
import type { Facts } from "../facts/facts.ts";
import { findMatches, listReplaceable } from "../replace/find-matches.ts";
import { type PatternSuggestion, suggestPatterns } from "../replace/suggest-patterns.ts";
import type { PressureLevel } from "../schedule/pressure.ts";
import { answerSafely } from "./answer-safely.ts";
import { measureShown, type ShownTokens } from "./measure-shown.ts";
import { KIND_SIGNS } from "./write-answer.ts";

/** The advice for the agent at each level of pressure. */
export const ADVICE: Readonly<Record<PressureLevel, string>> = {
  light: "nothing to do",
  moderate: "prune old tool results",
  high: "write down what matters, then prune in batches",
  critical: "prune everything disposable",
};

/** The most items of each list; the answer gives only the number of the others. */
const MOST_LISTED = { tools: 8, prunable: 20, waiting: 5, unmarked: 10, suggestions: 3 } as const;

/** Answers a `context_info` call: the state of the context, and what can be done. Never throws. */
export function answerInfo(_input: unknown, view: AgentView): string {
  return answerSafely(() => answer(view));
}

function answer(view: AgentView): string {
  const prunable = listPrunable(view).toSorted((a, b) => b.tokens - a.tokens || a.part - b.part);
  return [
    writePressure(view),
    ...writeTokens(measureShown(view)),
    ...writePrunable(prunable, view),
    writeAvailable(prunable),
    ...writeWaiting(view),
    ...writeSaved(view),
    ...writeSuggestions(prunable, view),
    "Keep always: open todos, files being edited, the user's requirements.",
  ].join("\n");
}

function writePressure({ pressure }: AgentView): string {
  const { used, window, share, level } = pressure;
  const percent = `${Math.round(100 * share)} %`;
  return `Context: ${formatNumber(used)} of ${formatNumber(window)} tokens (${percent}). Pressure ${level}: ${ADVICE[level]}.`;
}

function writeTokens({ kinds, tools }: ShownTokens): readonly string[] {
  const byKind = kinds.map(({ name, tokens }) => `${name} ${formatNumber(tokens)}`);
  const byTool = tools
    .slice(0, MOST_LISTED.tools)
    .map(({ name, tokens, results }) => `${name} ${formatNumber(tokens)} (${countOf(results, "result")})`);
  const more = tools.length > MOST_LISTED.tools ? [`${tools.length - MOST_LISTED.tools} more tools`] : [];
  return [
    `By kind: ${byKind.join(" · ")}`,
    ...(byTool.length > 0 ? [`By tool: ${[...byTool, ...more].join(" · ")}`] : []),
  ];
}

function writePrunable(prunable: readonly Prunable[], { facts }: AgentView): readonly string[] {
  if (prunable.length === 0) return ["Prunable: nothing"];
  const { transcript } = facts;
  const lines = prunable.slice(0, MOST_LISTED.prunable).map(({ part, ref, kind, tokens }) => {
    const age = countOf(transcript.lastStep - (transcript.step[part] ?? 0) + 1, "step");
    return `  ${ref} ${KIND_SIGNS[kind]} ${describePart(facts, part)}: ${countOf(tokens, "token")}, ${age} ago`;
  });
  const others = prunable.slice(MOST_LISTED.prunable);
  const tokens = others.reduce((sum, each) => sum + each.tokens, 0);
  const more = others.length > 0 ? [`  and ${others.length} more, ${formatNumber(tokens)} tokens`] : [];
  return ["Prunable, largest first:", ...lines, ...more];
}

function writeWaiting({ waiting, facts }: AgentView): readonly string[] {
  if (waiting.length === 0) return [];
  const tokens = waiting.reduce((sum, { price }) => sum + price.saves, 0);
  const largest = waiting
    .toSorted((a, b) => b.price.saves - a.price.saves || a.part - b.part)
    .slice(0, MOST_LISTED.waiting);
  const lines = largest.map(
    ({ part, price, reason }) => `  ${price.ref} ${describePart(facts, part)}: ${reason}`,
  );
  const more = waiting.length > largest.length ? [`  and ${waiting.length - largest.length} more`] : [];
  return [
    `Stale, waiting for a cheap moment: ${countOf(waiting.length, "part")}, ${countOf(tokens, "token")}. Nothing for you to do.`,
    ...lines,
    ...more,
  ];
}

function writeSaved({ facts, ledger, original, view, status }: AgentView): readonly string[] {
  if (status !== "on") return ["Saved so far: nothing: pruning is off in this session."];
  const active = ledger.active();
  const own = active.filter(({ author }) => author === AGENT).length;
  const saved = Math.max(0, original - view.total);
  return [
    `Saved so far: ${countOf(saved, "token")} by ${countOf(active.length, "cut")}, ${own} of them yours.`,
    ...writeUnmarked(active, facts),
  ];
}

/** The newest cuts that do not show their ref in the context: drops, and cuts outside of results. */
function writeUnmarked(active: readonly Cut[], facts: Facts): readonly string[] {
  const { transcript } = facts;
  const largest = new Map<number, Cut>();
  for (const cut of active) {
    const index = transcript.find(cut.part);
    if (index === undefined || (cut.type === "replace" && transcript.part(index).kind === "result")) continue;
    if (cut.saved > (largest.get(index)?.saved ?? 0)) largest.set(index, cut);
  }
  if (largest.size === 0) return [];
  const inOrder = [...largest].toSorted(([a], [b]) => b - a);
  const names = inOrder.slice(0, MOST_LISTED.unmarked).map(([index, cut]) => {
    const isInput = cut.type === "replace" && transcript.part(index).kind === "call";
    return `${cut.ref} ${isInput ? "input of " : ""}${describePart(facts, index)}`;
  });
  const more = inOrder.length > names.length ? [`${inOrder.length - names.length} more`] : [];
  return [
    `Cut outside results, newest first, available with context_recall: ${[...names, ...more].join(" · ")}`,
  ];
}

/**
 * Patterns for the largest results that are not reads. Lists only patterns that match once in the agent's whole
 * view.
 */
function writeSuggestions(prunable: readonly Prunable[], view: AgentView): readonly string[] {
  if (!view.settings.actions.includes("replace")) return [];
  const texts = listReplaceable(view, view.settings);
  const isOutput = ({ part, kind }: Prunable) =>
    kind === "tool" && view.facts.calls.of(part)?.use.kind !== "read";
  const largest = prunable.filter(isOutput).slice(0, RESULTS_SEARCHED);
  const found = largest.flatMap(({ part }) => {
    const text = texts.find((each) => each.part === part)?.text ?? "";
    return suggestPatterns(text.slice(0, MOST_CHARACTERS_SEARCHED)).map((suggestion) => ({
      suggestion,
      part,
    }));
  });
  const unique = found
    .filter(({ suggestion: { start, end } }) => findMatches(texts, start, end).length === 1)
    .toSorted((a, b) => b.suggestion.tokens - a.suggestion.tokens)
    .slice(0, MOST_LISTED.suggestions);
  if (unique.length === 0) return [];
  return [
    'Suggestions for replace (give "…" or a summary as the replacement):',
    ...unique.map(
      ({ suggestion, part }) => `  ${writeSuggestion(suggestion)} in ${describeWhere(view.facts, part)}`,
    ),
  ];
}

const RESULTS_SEARCHED = 10;
const MOST_CHARACTERS_SEARCHED = 200_000;

function writeSuggestion({ kind, start, end, lines, tokens }: PatternSuggestion): string {
  return `${JSON.stringify([start, end, "…"])}: ${kind}, ${countOf(lines, "line")}, ${countOf(tokens, "token")}`;
}
