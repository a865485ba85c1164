import type { Issue } from "../basics/issue.ts";
import type { SessionStatus } from "../transcript/session-command.ts";

/** Reports that the request may not fit, the reason, and what a person can do. */
export function overflowIssue(used: number, window: number, status: SessionStatus): Issue {
  const why = {
    on: "the rest is protected, or can't be shortened further; start a new session, compact, or unprotect something",
    off: "pruning is off in this session",
    shadow: "Coppice only watches in this session",
  }[status];
  const message = `the request is about ${Math.round(used)} tokens and may not fit into the window of ${window}: ${why}`;
  return { code: "context-overflow", message, severity: "error" };
}
