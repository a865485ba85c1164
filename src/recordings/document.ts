import type { Issue, Result } from "../basics/issue.ts";
import {
  makeRecording,
  type PaidRequest,
  type Recording,
  type RecordingSource,
  type Segment,
} from "./recording.ts";

/** The session that a kind finds in a file. */
export interface FoundSession {
  readonly format: Recording["format"];
  readonly session?: string | undefined;
  readonly project?: string | undefined;
  readonly segments: readonly Segment[];
  readonly asides?: readonly PaidRequest[];
  readonly window?: number | undefined;
  readonly isCompactionPeak?: boolean;
  readonly leavesOutCompactions?: true;
}

/** Reads a file that is one JSON value; `read` converts the value to segments. */
export function parseDocument(
  source: RecordingSource,
  text: string,
  name: string | undefined,
  read: (document: unknown, issues: Issue[]) => FoundSession,
): Result<Recording> {
  const document = readDocument(text);
  if (!document.ok) {
    const issue = unreadable(`this looks like a session of ${source}, but ${document.issue.message}`, name);
    return { ok: false, issue };
  }
  const issues: Issue[] = [];
  const { session, ...found } = read(document.value, issues);
  const skipped = issues.filter(({ code }) => code === "malformed-message").length;
  return { ok: true, value: makeRecording({ ...found, source, session, issues, skipped }) };
}

/** The value of a whole file, with or without a byte order mark. */
export function readDocument(text: string): Result<unknown> {
  try {
    return { ok: true, value: JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, issue: unreadable(`it is cut off or damaged (${why})`, undefined) };
  }
}

/** The issue for a skipped message. */
export function malformed(where: string): Issue {
  const message = "skipped: not a message";
  return { code: "malformed-message", severity: "warning", where, message };
}

function unreadable(message: string, name: string | undefined): Issue {
  return {
    code: "unreadable-input",
    severity: "error",
    message,
    ...(name !== undefined && { where: name }),
  };
}
