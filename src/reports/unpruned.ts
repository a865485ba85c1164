import { describeError, type Issue } from "../basics/issue.ts";
import type { Rewritten } from "../edits/apply.ts";
import { FORMAT_NAMES } from "../formats/detect.ts";
import { makeEmptyReport, type Report } from "./report.ts";

/** Messages as they came, and why. */
export interface Unpruned<M> extends Rewritten<M> {
  readonly report: Report;
}

/** Every message itself. */
export function unchanged<M>(messages: readonly M[]): Rewritten<M> {
  return { messages: [...messages], sources: [...messages.keys()] };
}

/** Where something of ours failed. */
export function unprunedAfter<M>(error: unknown, messages: readonly M[]): Unpruned<M> {
  const message = `nothing was pruned: ${describeError(error)}`;
  return unprunedFor({ code: "fold-failed", message, severity: "error" }, messages);
}

/** Where nobody knows what kind of messages these are. */
export function unprunedUnknown<M>(messages: readonly M[]): Unpruned<M> {
  if (messages.length === 0)
    return unprunedFor(
      { code: "empty-input", message: "there are no messages to prune", severity: "warning" },
      messages,
    );
  const message = `Coppice does not know the format of these messages (it knows ${FORMAT_NAMES.join(", ")}); set \`format\``;
  return unprunedFor({ code: "unknown-format", message, severity: "error" }, messages);
}

/** For callers without types: what was given is returned as it is. */
export function unprunedList<M>(value: readonly M[]): Unpruned<M> {
  const message = "prune expects an array of messages; it returned its argument unchanged";
  const report = makeEmptyReport({ code: "unreadable-input", message, severity: "error" });
  return { messages: value as M[], sources: [], report };
}

/** For a reason that the host has. */
export function unprunedFor<M>(issue: Issue, messages: readonly M[]): Unpruned<M> {
  return { ...unchanged(messages), report: makeEmptyReport(issue) };
}
