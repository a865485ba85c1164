import { countOf } from "../../src/basics/numbers.ts";
import { formatTable, type ReplayColumn, spread } from "../../src/replay/index.ts";
import type { LeanOutcome } from "./play-lean.ts";

/** The sessions of one project. */
export interface LeanProject {
  readonly name: string;
  /** With the definitions that the client sends today. */
  readonly outcomes: readonly LeanOutcome[];
  /** As if the client sent the definition of every tool that any recorded session called: what the rule itself misses. */
  readonly withAllTools: readonly LeanOutcome[];
}

interface Row {
  readonly name: string;
  readonly sessions: number;
  /** Those that something would have been left out of. */
  readonly lean: readonly LeanOutcome[];
  readonly withAllTools: readonly LeanOutcome[];
}

const COLUMNS: readonly ReplayColumn<Row>[] = [
  ["project", ({ name }) => name],
  ["sessions", ({ sessions }) => String(sessions)],
  ["lean", ({ lean }) => String(lean.length)],
  ["tools left out", ({ lean }) => show(mean(lean.map(({ left }) => left.length)), 1)],
  ["tokens", ({ lean }) => show(mean(lean.map(({ tokens }) => tokens)), 0)],
  ["bill saved, mean", ({ lean }) => percent(mean(lean.map(({ saved, session }) => saved / session.paid)))],
  ["by money", ({ lean }) => percent(shareOf(lean))],
  ["with a regret", ({ lean }) => countRegrets(lean)],
  ["if all tools were sent", ({ withAllTools }) => countRegrets(withAllTools)],
];

/** A line for each project with lean sessions, one for all others, and one for everything. */
export function formatLean(projects: readonly LeanProject[]): string {
  const rows = projects.map(({ name, ...played }) => toRow(name, [played]));
  const others = projects.filter((_, i) => rows[i]?.lean.length === 0);
  return formatTable(COLUMNS, [
    ...rows.filter(({ lean }) => lean.length > 0).sort((a, b) => b.sessions - a.sessions),
    ...(others.length === 0 ? [] : [toRow(countOf(others.length, "other"), others)]),
    toRow("all", projects),
  ]);
}

/** Which tools were called though they would have been left out, and in how many sessions. Tools of a server count as one. */
export function formatRegrets(outcomes: readonly LeanOutcome[]): string {
  const counts = new Map<string, number>();
  for (const { regrets } of outcomes)
    for (const name of new Set(regrets.map((tool) => tool.replace(/^(mcp__.+?)__.+$/, "$1"))))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  const listed = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return listed.map(([name, count]) => `${name} ${count}`).join(", ") || "none";
}

function toRow(name: string, played: readonly Omit<LeanProject, "name">[]): Row {
  const outcomes = played.flatMap((each) => each.outcomes);
  return {
    name,
    sessions: outcomes.length,
    lean: onlyLean(outcomes),
    withAllTools: onlyLean(played.flatMap((each) => each.withAllTools)),
  };
}

function onlyLean(outcomes: readonly LeanOutcome[]): readonly LeanOutcome[] {
  return outcomes.filter(({ left }) => left.length > 0);
}

function countRegrets(lean: readonly LeanOutcome[]): string {
  if (lean.length === 0) return "–";
  return `${lean.filter(({ regrets }) => regrets.length > 0).length} of ${lean.length}`;
}

function shareOf(outcomes: readonly LeanOutcome[]): number | undefined {
  const paid = add(outcomes.map(({ session }) => session.paid));
  return paid === 0 ? undefined : add(outcomes.map(({ saved }) => saved)) / paid;
}

function mean(figures: readonly number[]): number | undefined {
  return spread(figures)?.mean;
}

function add(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0);
}

function show(figure: number | undefined, digits: number): string {
  return figure === undefined ? "–" : figure.toFixed(digits);
}

function percent(share: number | undefined): string {
  return share === undefined ? "–" : `${(share * 100).toFixed(1)}%`;
}
