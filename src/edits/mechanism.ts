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

/** A pass states its own; what states none counts as `other`. */
export type Mechanism = (typeof MECHANISMS)[number];

/** The means that take only what something newer says as well: all before those of the agent. */
export const SUPERSEDING: readonly Mechanism[] = MECHANISMS.slice(0, MECHANISMS.indexOf("discard"));
