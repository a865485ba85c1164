import { describeError, type Issue } from "../basics/issue.ts";
import type { Rewritten } from "../edits/apply.ts";
import { FORMAT_NAMES } from "../formats/detect.ts";
import { makeEmptyReport, type Report } from "./report.ts";

/** The unchanged messages, and the reason. */
export interface Unpruned<M> extends Rewritten<M> {
  readonly report: Report;
}

/** Returns every message itself. */
export function unchanged<M>(messages: readonly M[]): Rewritten<M> {
  return { messages: [...messages], sources: [...messages.keys()] };
}

/** For errors in our own code. */
export function unprunedAfter<M>(error: unknown, messages: readonly M[]): Unpruned<M> {
  const message = `nothing was pruned: ${describeError(error)}`;
  return unprunedFor({ code: "fold-failed", message, severity: "error" }, messages);
}

/** For messages of an unknown format. */
export function unprunedUnknown<M>(messages: readonly M[]): Unpruned<M> {
  if (messages.length === 0)
    return unprunedFor(
      { code: "empty-input", message: "there are no messages to prune", severity: "warning" },
      messages,
    );
  const message = `Coppice does not know the format of these messages (it knows ${FORMAT_NAMES.join(", ")}); set \`format\``;
  return unprunedFor({ code: "unknown-format", message, severity: "error" }, messages);
}

/** For callers without types: returns the argument unchanged. */
export function unprunedList<M>(value: readonly M[]): Unpruned<M> {
  const message = "prune expects an array of messages; it returned its argument unchanged";
  const report = makeEmptyReport({ code: "unreadable-input", message, severity: "error" });
  return { messages: value as M[], sources: [], report };
}

/** For a reason of the host's. */
export function unprunedFor<M>(issue: Issue, messages: readonly M[]): Unpruned<M> {
  return { ...unchanged(messages), report: makeEmptyReport(issue) };
}
