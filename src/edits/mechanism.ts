/** The ways in which text is cut: the names and the order that people see in statistics. */
export const MECHANISMS = [
  "hash",
  "file",
  "todo",
  "url",
  "query",
  "context",
  "snapshot",
  "retry",
  "reminder",
  "discard",
  "distill",
  "replace",
  "shake",
  "summaries",
  "inputs",
  "trim",
  "cap",
  "numbers",
  "errors",
  "attachment",
  "code",
  "reasoning",
  "other",
] as const;

/** A pass or rung states its own. Without one, its edits count as `other`. */
export type Mechanism = (typeof MECHANISMS)[number];

/** The mechanisms that only cut text that something newer replaces: those listed before the agent's. */
export const SUPERSEDING: readonly Mechanism[] = MECHANISMS.slice(0, MECHANISMS.indexOf("discard"));
