import { AGENT } from "../edits/authors.ts";
import type { Cut } from "../edits/edit.ts";
import type { LedgerEntry } from "../edits/ledger.ts";

/** By what means text was cut, as people read it in statistics, in this order. */
export const MECHANISMS = [
  "hash",
  "file",
  "todo",
  "url",
  "query",
  "context",
  "snapshot",
  "retry",
  "discard",
  "distill",
  "replace",
  "shake",
  "summaries",
  "inputs",
  "trim",
  "cap",
  "errors",
  "attachment",
  "code",
  "reasoning",
  "other",
] as const;

export type Mechanism = (typeof MECHANISMS)[number];

/** The means that take only what something newer says as well: all before those of the agent. */
export const SUPERSEDING: readonly Mechanism[] = MECHANISMS.slice(0, MECHANISMS.indexOf("discard"));

/** Passes by name. What is not listed is `other`: a pass of the user's own. */
const BY_AUTHOR: ReadonlyMap<string, Mechanism> = new Map([
  ["duplicate-calls", "hash"],
  ["file-views", "file"],
  ["rested-edits", "file"],
  ["unchanged-reads", "file"],
  ["todos", "todo"],
  ["sources", "url"],
  ["state-queries", "query"],
  ["context-calls", "context"],
  ["snapshots", "snapshot"],
  ["retries", "retry"],
  ["shake", "shake"],
  ["aggressive-shake", "shake"],
  ["summarize-results", "summaries"],
  ["spent-results", "summaries"],
  ["spent-inputs", "inputs"],
  ["trim-placeholders", "trim"],
  ["trim-groups", "trim"],
  ["cap-results", "cap"],
  ["old-errors", "errors"],
  ["failed-inputs", "errors"],
  ["old-files", "attachment"],
  ["user-code-blocks", "code"],
  // Reasoning that a cut before it made void.
  ["schedule", "reasoning"],
]);

/** What the agent asked for stands in the reason: `the agent discarded it`. */
export function mechanismOf({ author, reason }: Pick<Cut, "author" | "reason">): Mechanism {
  if (author !== AGENT) return BY_AUTHOR.get(author) ?? "other";
  return (["distill", "replace", "discard"] as const).find((action) => reason.includes(action)) ?? "other";
}

export interface Tally {
  readonly cuts: number;
  readonly tokens: number;
}

export type Tallies = Readonly<Partial<Record<Mechanism, Tally>>>;

/** The cuts that stand, by means; those that were taken back do not count. */
export function countByMechanism(edits: readonly LedgerEntry[]): Tallies {
  const undone = new Set(edits.flatMap(({ edit }) => (edit.type === "undo" ? [edit.target] : [])));
  const tallies: Partial<Record<Mechanism, Tally>> = {};
  for (const { edit } of edits) {
    if (edit.type === "undo" || undone.has(edit.id)) continue;
    const mechanism = mechanismOf(edit);
    tallies[mechanism] = addTally(tallies[mechanism], { cuts: 1, tokens: edit.saved });
  }
  return tallies;
}

export function addTally(a: Tally | undefined, b: Tally | undefined): Tally {
  return { cuts: (a?.cuts ?? 0) + (b?.cuts ?? 0), tokens: (a?.tokens ?? 0) + (b?.tokens ?? 0) };
}
