/** A problem that is reported and never thrown at the agent: what happened, where, and what was done instead. */
export interface Issue {
  /** Stable, kebab-case; one catalogue for all rooms. */
  readonly code: IssueCode;
  readonly message: string;
  /** The place: a part key, a file and line, a config key. */
  readonly where?: string;
  readonly severity: "error" | "warning" | "info";
}

export type IssueCode =
  // input
  | "empty-input"
  | "unknown-format"
  | "malformed-message"
  | "unreadable-input"
  | "huge-part"
  | "invalid-utf16"
  | "cyclic-input"
  | "invalid-request"
  // legality of a request
  | "call-without-result"
  | "result-without-call"
  | "result-before-call"
  | "repeated-call-id"
  | "empty-message"
  | "empty-block"
  | "role-order"
  | "reasoning-missing"
  | "reasoning-order"
  // requests to the engine
  | "edit-refused"
  | "strategy-failed"
  | "fold-failed"
  | "context-overflow"
  | "format-failed"
  | "rule-off"
  // models
  | "unknown-model"
  | "cache-prices-assumed"
  | "no-times"
  | "usage-doubted"
  | "history-assumed"
  | "history-changed"
  | "mostly-opaque"
  // hosts
  | "journal-in-memory"
  | "history-on-server"
  | "history-slides"
  | "pruned-request-refused"
  | "store-unavailable"
  // configuration
  | "config-invalid-value"
  | "config-unknown-key"
  | "config-unreadable"
  // recordings
  | "broken-line"
  | "not-a-recording"
  | "restore-file-unreadable"
  | "restore-file-mismatch"
  // hosts
  | "store-unavailable"
  | "rival-pruner"
  | "host-failed";

/** The text of an error. Never throws, whatever was thrown. */
export function describeError(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "the error can't be shown";
  }
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issue: Issue };
