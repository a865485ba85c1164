import type { Issue } from "../basics/issue.ts";
import type { Part } from "./part.ts";
import type { Transcript } from "./transcript.ts";

/** A part of this many characters is reported: it fits in no window. */
const HUGE_TEXT = 4_000_000;

/** Reports problems in the parts `from … to` as they came in. Repairs nothing and throws nothing. */
export function checkInput(transcript: Transcript, from: number, to: number): readonly Issue[] {
  const issues: Issue[] = [];
  for (let i = from; i < to; i++) {
    const part = transcript.part(i);
    const report = (code: Issue["code"], message: string) =>
      issues.push({ code, message, where: transcript.key(i), severity: "warning" });
    if (part.kind === "opaque" && typeof part.raw !== "object") report("malformed-message", "not a message");
    if (part.leaves.some(({ text }) => text.length > HUGE_TEXT)) {
      report(
        "huge-part",
        `a text of more than ${HUGE_TEXT.toLocaleString("en")} characters fits in no window`,
      );
    }
    if (part.leaves.some(({ text }) => !text.isWellFormed())) {
      report("invalid-utf16", "the text holds half a surrogate pair, which most providers reject");
    }
    if (part.kind === "call" && isCyclic(part.input)) {
      report("cyclic-input", "the input refers to itself and can't be sent as JSON");
    }
    if (part.kind === "call" || part.kind === "result") checkPairing(transcript, i, part, report);
  }
  return issues;
}

/** If an id repeats, the n-th result belongs to the n-th call; the occurrence is at the end of the part's key. */
function checkPairing(
  transcript: Transcript,
  index: number,
  part: Part & { readonly callId: string },
  report: (code: Issue["code"], message: string) => void,
): void {
  const key = transcript.key(index);
  const occurrence = key.slice(key.lastIndexOf("#"));
  if (part.kind === "call") {
    // A call that is written in a text has no id.
    if (occurrence !== "#1" && !part.inText)
      report("repeated-call-id", `the call id ${part.callId} was used before`);
    return;
  }
  const call = `call:${part.callId}${occurrence}` as typeof key;
  if (transcript.find(call) === undefined) {
    report(
      "result-without-call",
      `no call before it has the id ${part.callId}: it came too early or its call is missing`,
    );
  }
}

/** Calls of a finished step that had no result when the next one began. */
export function checkAnswered(transcript: Transcript, step: number): readonly Issue[] {
  const [from, to] = transcript.stepRange(step);
  const issues: Issue[] = [];
  for (let i = from; i < to; i++) {
    const part = transcript.part(i);
    if (part.kind !== "call" || part.server) continue;
    const key = transcript.key(i);
    const result = transcript.find(`result${key.slice("call".length)}` as typeof key);
    if (result !== undefined && result < to) continue;
    const message = `the call ${part.callId} (${part.tool}) has no result: most providers reject that`;
    issues.push({ code: "call-without-result", message, where: key, severity: "warning" });
  }
  return issues;
}

/** Does a value contain itself? Not recursive, because it may have any depth. */
function isCyclic(whole: unknown): boolean {
  /** The values that contain the current one, and those known to contain no cycle. */
  const path = new Set<unknown>();
  const done = new Set<unknown>();
  const left: { readonly value: unknown; readonly leaves?: true }[] = [{ value: whole }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, leaves } = next;
    if (leaves) {
      path.delete(value);
      done.add(value);
    } else if (path.has(value)) return true;
    else if (typeof value === "object" && value !== null && !done.has(value)) {
      path.add(value);
      left.push({ value, leaves: true });
      for (const item of Object.values(value)) left.push({ value: item });
    }
  }
  return false;
}
