import type { Result } from "../basics/issue.ts";
import { EpochSteps } from "./epoch-steps.ts";
import { isString, numberAt, objectAt, stringAt } from "./json.ts";
import { readJsonLines } from "./json-lines.ts";
import { addInput, readEntry, summaryText } from "./pi-entry.ts";
import { followPath } from "./pi-path.ts";
import { makeRecording, type Recording, type RecordingKind } from "./recording.ts";
import { type AnthropicEpoch, toAnthropic } from "./to-anthropic.ts";

export const pi: RecordingKind = {
  name: "pi",
  lookedFor: 'pi JSONL (~/.pi/agent/sessions/**/*.jsonl): a first line of type "session"',
  matches: ({ records }) =>
    records[0]?.type === "session" ||
    records.some((record) => record.type === "message" && isString(objectAt(record, "message")?.role)),
  parse: parsePi,
};

/** The current branch of a pi session, as messages of the Messages API, whichever API pi spoke. */
export function parsePi(text: string, name?: string): Result<Recording> {
  const { records, issues: broken } = readJsonLines(text, name);
  const issues = [...broken];
  const header = records.find((record) => record.type === "session");
  const path = followPath(records.filter((record) => record !== header));
  const places = new Map(path.map((entry, index) => [entry, index]));
  const entriesById = new Map(path.map((entry) => [stringAt(entry, "id"), entry]));
  let epoch: AnthropicEpoch = new EpochSteps();
  const epochs = [epoch];
  for (const [index, entry] of path.entries()) {
    if (entry.type !== "compaction") {
      readEntry(entry, epoch, issues);
      continue;
    }
    const firstKept = isString(entry.firstKeptEntryId)
      ? entriesById.get(entry.firstKeptEntryId)
      : records[numberAt(entry, "firstKeptEntryIndex") ?? -1];
    const tailStart = (firstKept && places.get(firstKept)) ?? index;
    epoch = new EpochSteps();
    epochs.push(epoch);
    epoch.carry(() => {
      addInput(summaryText(entry), entry, epoch);
      // Problems in the tail were reported when it was read first.
      for (const kept of path.slice(tailStart, index)) readEntry(kept, epoch, []);
    });
  }
  const recording = makeRecording({
    source: "pi",
    format: "anthropic-messages",
    session: stringAt(header, "id"),
    segments: epochs.map((each) => toAnthropic(each, issues)),
    issues,
    skipped: broken.length,
  });
  return { ok: true, value: recording };
}
