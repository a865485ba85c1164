import type { Result } from "../../src/basics/issue.ts";
import type { Recording } from "../../src/recordings/recording.ts";

/** A file of JSON lines; a string among the records is written unchanged. */
export function toLines(records: readonly unknown[]): string {
  return records.map((record) => (typeof record === "string" ? record : JSON.stringify(record))).join("\n");
}

/** The value, if the test cannot continue without one. */
export function mustRead(result: Result<Recording>): Recording {
  if (!result.ok) throw new Error(`${result.issue.code}: ${result.issue.message}`);
  return result.value;
}

export function codesOf(recording: Recording): readonly string[] {
  return recording.issues.map(({ code }) => code);
}
