import type { Issue, Result } from "../basics/issue.ts";
import type { JsonRecord } from "../basics/json.ts";
import type { FoundSession } from "./document.ts";
import { isString, numberAt, objectAt, stringAt } from "./json.ts";
import { parseLines } from "./json-lines.ts";
import { addInput, isLeftOut, readEntry, readPaid, summaryText } from "./pi-entry.ts";
import type { PaidRequest, Recording, RecordingKind } from "./recording.ts";
import { SegmentSteps } from "./segment-steps.ts";
import { type AnthropicSegment, toAnthropic } from "./to-anthropic.ts";

export const pi: RecordingKind = {
  name: "pi",
  lookedFor: 'pi JSONL (~/.pi/agent/sessions/**/*.jsonl): a first line of type "session"',
  matches: ({ records }) =>
    records[0]?.type === "session" ||
    records.some((record) => record.type === "message" && isString(objectAt(record, "message")?.role)),
  parse: parsePi,
};

/** The current branch of a pi session, as messages of the Messages API, for any API that pi used. */
export function parsePi(text: string, name?: string): Result<Recording> {
  return parseLines("pi", text, name, readSession);
}

function readSession(records: readonly JsonRecord[], issues: Issue[]): FoundSession {
  const header = records.find((record) => record.type === "session");
  const path = followPath(records.filter((record) => record !== header));
  const places = new Map(path.map((entry, index) => [entry, index]));
  const entriesById = new Map(path.map((entry) => [stringAt(entry, "id"), entry]));
  let segment: AnthropicSegment = new SegmentSteps();
  const stepLists = [segment];
  for (const [index, entry] of path.entries()) {
    if (entry.type !== "compaction") {
      readEntry(entry, segment, issues);
      continue;
    }
    const firstKept = isString(entry.firstKeptEntryId)
      ? entriesById.get(entry.firstKeptEntryId)
      : records[numberAt(entry, "firstKeptEntryIndex") ?? -1];
    const tailStart = (firstKept && places.get(firstKept)) ?? index;
    segment = new SegmentSteps();
    stepLists.push(segment);
    segment.carry(() => {
      addInput(summaryText(entry), entry, segment);
      // Problems in the tail were reported when it was first read.
      for (const kept of path.slice(tailStart, index)) readEntry(kept, segment, []);
    });
  }
  const segments = stepLists.map((each) => toAnthropic(each, issues));
  const compacted = path.flatMap((entry) =>
    entry.type === "compaction" ? (numberAt(entry, "tokensBefore") ?? []) : [],
  );
  return {
    format: "anthropic-messages",
    session: stringAt(header, "id"),
    project: stringAt(header, "cwd"),
    segments,
    asides: listAsides(records, new Set(path)),
    window: compacted.length > 0 ? compacted.reduce((most, tokens) => Math.max(most, tokens)) : undefined,
    isCompactionPeak: compacted.length > 0,
    leavesOutCompactions: true,
  };
}

/** Paid answers that are not on the branch, or broke off. */
function listAsides(records: readonly JsonRecord[], path: ReadonlySet<JsonRecord>): readonly PaidRequest[] {
  return records.flatMap((entry): readonly PaidRequest[] => {
    const paid = readPaid(entry);
    if (!paid) return [];
    if (!path.has(entry)) return [{ kind: "branch", ...paid }];
    return isLeftOut(entry) ? [{ kind: "failed", ...paid }] : [];
  });
}

/**
 * The entries from the root to the last leaf: the user's current branch.
 *
 *   a ── b ── c
 *        └─── d   ->   a b d
 *
 * Sessions of version 1 have no links: an entry follows the one before. So does an entry whose parent is missing,
 * so that one broken line does not lose the session.
 */
function followPath(entries: readonly JsonRecord[]): readonly JsonRecord[] {
  const indexes = new Map<string, number>();
  for (const [index, entry] of entries.entries()) indexes.set(stringAt(entry, "id") ?? "", index);
  const path: JsonRecord[] = [];
  let index = entries.length - 1;
  for (let entry = entries[index]; entry; entry = entries[index]) {
    path.push(entry);
    if (entry.parentId === null) break;
    const parent = indexes.get(stringAt(entry, "parentId") ?? "");
    index = parent !== undefined && parent < index ? parent : index - 1;
  }
  return path.reverse();
}
