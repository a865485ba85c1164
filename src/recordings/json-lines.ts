import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import type { FoundSession } from "./document.ts";
import { makeRecording, type Recording, type RecordingSource } from "./recording.ts";

export interface JsonLines {
  readonly records: readonly JsonRecord[];
  /** One `broken-line` for each line, or rest of a line, that is not a JSON object. */
  readonly issues: readonly Issue[];
}

/** Reads a file of JSON lines; `read` converts the records to segments. */
export function parseLines(
  source: RecordingSource,
  text: string,
  name: string | undefined,
  read: (records: readonly JsonRecord[], issues: Issue[]) => FoundSession,
): Result<Recording> {
  const { records, issues: broken } = readJsonLines(text, name);
  const issues = [...broken];
  const { session, ...found } = read(records, issues);
  const recording = makeRecording({ ...found, source, session, issues, skipped: broken.length });
  return { ok: true, value: recording };
}

/**
 * Reads JSON lines as they occur on disk.
 *
 *   {"a":1}                ->  one record
 *   {"a":1}{"b":2}         ->  two: the newline between them was never written
 *   {"a":1}{"b":           ->  one, and a broken line
 */
export function readJsonLines(text: string, name = "line", lineLimit: number = Infinity): JsonLines {
  const records: JsonRecord[] = [];
  const issues: Issue[] = [];
  let start = text.startsWith("\uFEFF") ? 1 : 0;
  for (let line = 1; start < text.length && line <= lineLimit; line++) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const broken = readLine(text.slice(start, end), records);
    if (broken !== undefined) issues.push(brokenLine(broken, `${name}:${line}`, newline < 0));
    start = end + 1;
  }
  return { records, issues };
}

/** Adds the line's records; returns the rest of the line that could not be read. */
function readLine(line: string, records: JsonRecord[]): string | undefined {
  const whole = parseObject(line);
  if (whole) {
    records.push(whole);
    return undefined;
  }
  let rest = line.trim();
  while (rest !== "") {
    const end = findObjectEnd(rest);
    const record = end === undefined ? undefined : parseObject(rest.slice(0, end));
    if (!record) return rest;
    records.push(record);
    rest = rest.slice(end).trimStart();
  }
  return undefined;
}

function parseObject(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Where the object at the start of `text` ends, by counting braces outside strings. */
function findObjectEnd(text: string): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth <= 0) return at + 1;
  }
  return undefined;
}

function brokenLine(rest: string, where: string, last: boolean): Issue {
  const start = rest.length > 40 ? `${rest.slice(0, 40)}…` : rest;
  const why = last ? "is cut off or not a JSON object" : "is not a JSON object";
  return {
    code: "broken-line",
    severity: "warning",
    where,
    message: `this line ${why}, and was skipped: ${start}`,
  };
}
