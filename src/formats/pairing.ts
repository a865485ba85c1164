import type { Issue, IssueCode } from "../basics/issue.ts";

export type ReportIssue = (
  code: IssueCode,
  index: number,
  message: string,
  severity?: Issue["severity"],
) => void;

/** The ids of one message's calls and results. */
export interface MessagePairs {
  readonly calls: readonly string[];
  readonly results: readonly string[];
}

/**
 * Checks that a response's calls are answered directly after it, one result each, in any number of messages with
 * only results. An `undefined` message is not sent, so it is skipped.
 *
 * @param missing the severity of a call without a result
 */
export function checkPairs(
  messages: readonly (MessagePairs | undefined)[],
  report: ReportIssue,
  missing: Issue["severity"] = "error",
): void {
  const lastCalled = new Map<string, number>();
  messages.forEach((message, index) => {
    for (const id of message?.calls ?? []) lastCalled.set(id, index);
  });
  const called = new Set<string>();
  const answered = new Set<string>();
  let open = new Map<string, number>();
  const close = (): void => {
    for (const [id, index] of open)
      report("call-without-result", index, `Call ${id} has no result right after it.`, missing);
    open = new Map();
  };
  messages.forEach((message, index) => {
    if (!message) return;
    if (message.results.length === 0) close();
    for (const id of message.results) {
      if (open.delete(id)) answered.add(id);
      else if (answered.has(id)) report("repeated-call-id", index, `Call ${id} has two results.`);
      else if ((lastCalled.get(id) ?? -1) > index)
        report("result-before-call", index, `Call ${id} comes after its result.`);
      else report("result-without-call", index, `No call ${id} right before this result.`);
    }
    if (message.calls.length === 0) return;
    answered.clear();
    const here = new Set(message.calls);
    if (here.size < message.calls.length)
      report("repeated-call-id", index, "Two calls of one message share an id.");
    for (const id of here) {
      if (called.has(id)) report("repeated-call-id", index, `Call id ${id} was used before.`, "warning");
      called.add(id);
      open.set(id, index);
    }
  });
  close();
}
