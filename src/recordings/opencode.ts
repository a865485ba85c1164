import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import type { MessageMeta, Usage } from "../transcript/message.ts";
import { isString, listAt, numberAt, objectAt, stringAt } from "./json.ts";
import {
  makeRecording,
  type PaidRequest,
  type Recording,
  type RecordingKind,
  type Segment,
} from "./recording.ts";
import { knownUsage } from "./segment-steps.ts";

export const opencode: RecordingKind = {
  name: "opencode",
  lookedFor: "OpenCode export (opencode export <session>): a JSON object with info and messages",
  // mini-swe-agent's trajectories also have info and messages, but no project.
  matches: ({ text, document }) =>
    isRecord(document)
      ? objectAt(document, "info")?.projectID !== undefined
      : /^\uFEFF?\s*\{\s*"info"\s*:\s*\{/.test(text) && text.includes('"projectID"'),
  parse: parseOpencode,
};

/** An OpenCode export; its messages stay unchanged. */
export function parseOpencode(text: string, name?: string): Result<Recording> {
  const exported = parseExport(text);
  if (!exported.ok)
    return { ok: false, issue: { ...exported.issue, ...(name !== undefined && { where: name }) } };
  const all = listAt(exported.value, "messages");
  const messages = all.filter(isMessage);
  const issues = all.flatMap((message, index) => (isMessage(message) ? [] : [malformed(index)]));
  const recording = makeRecording({
    source: "opencode",
    format: "opencode",
    session: stringAt(objectAt(exported.value, "info"), "id"),
    project: stringAt(objectAt(exported.value, "info"), "directory"),
    ...splitAtCompactions(messages),
    leavesOutCompactions: true,
    issues,
    skipped: issues.length,
  });
  return { ok: true, value: recording };
}

interface Message extends JsonRecord {
  readonly info: JsonRecord;
  readonly parts: readonly unknown[];
}

/**
 * OpenCode compacts with a user message that contains a `compaction` part and an assistant message with the
 * summary. From then on it sends those two, the tail that the part names, and the later messages:
 *
 *   u1 a1 u2 a2 [compaction, tail from u2] [summary] u3   ->   u1 a1 u2 a2 | compaction summary u2 a2 u3
 */
function splitAtCompactions(messages: readonly Message[]): Pick<Recording, "segments" | "asides"> {
  const indexes = new Map(messages.map(({ info }, index) => [stringAt(info, "id"), index]));
  const segments: Segment[] = [];
  const asides: PaidRequest[] = [];
  let carried: readonly Message[] = [];
  let start = 0;
  for (const [index, { info }] of messages.entries()) {
    const parent = isSummary(info) ? indexes.get(stringAt(info, "parentID")) : undefined;
    const compaction = parent === undefined ? undefined : findCompaction(messages[parent]);
    if (parent === undefined || !compaction || parent < start || parent > index) continue;
    segments.push(toSegment(carried, messages.slice(start, parent)));
    asides.push(...messages.slice(parent, index + 1).flatMap(({ info: each }) => readAside(each)));
    const tail = indexes.get(stringAt(compaction, "tail_start_id")) ?? parent;
    carried = [...messages.slice(parent, index + 1), ...messages.slice(tail, parent)];
    start = index + 1;
  }
  return { segments: [...segments, toSegment(carried, messages.slice(start))], asides };
}

function isSummary(info: JsonRecord): boolean {
  return info.summary === true && isString(info.finish) && info.error === undefined;
}

function findCompaction(message: Message | undefined): JsonRecord | undefined {
  return message?.parts.filter(isRecord).find((part) => part.type === "compaction");
}

function toSegment(carried: readonly Message[], fresh: readonly Message[]): Segment {
  return {
    messages: [...carried, ...fresh],
    meta: [
      ...carried.map(({ info }) => metaOf(info)),
      ...fresh.map(({ info }) => ({ ...metaOf(info), ...paidOf(info) })),
    ],
    carried: carried.length,
  };
}

/** The requests between the compaction prompt and the summary. */
function readAside(info: JsonRecord): readonly PaidRequest[] {
  const paid = paidOf(info);
  return paid.usage ? [{ kind: "compaction", ...metaOf(info), ...paid, usage: paid.usage }] : [];
}

function paidOf(info: JsonRecord): Pick<MessageMeta, "usage" | "cost"> {
  const usage = usageOf(objectAt(info, "tokens"));
  const cost = numberAt(info, "cost");
  return usage ? { usage, ...(cost !== undefined && { cost }) } : {};
}

function metaOf(info: JsonRecord): MessageMeta {
  const times = objectAt(info, "time");
  const time = numberAt(times, "completed") ?? numberAt(times, "created");
  const model = info.role === "assistant" ? stringAt(info, "modelID") : undefined;
  return {
    ...(time !== undefined && { time }),
    ...(model !== undefined && { model }),
  };
}

/** `output` includes reasoning in some versions and not in others; a `total`, if there is one, settles it. */
function usageOf(tokens: JsonRecord | undefined): Usage | undefined {
  const cache = objectAt(tokens, "cache");
  const input = numberAt(tokens, "input") ?? 0;
  const cacheRead = numberAt(cache, "read") ?? 0;
  const cacheWrite = numberAt(cache, "write") ?? 0;
  const total = numberAt(tokens, "total");
  const output = total === undefined ? numberAt(tokens, "output") : total - input - cacheRead - cacheWrite;
  return knownUsage({ input, cacheRead, cacheWrite, output: output ?? 0 });
}

function isMessage(value: unknown): value is Message {
  return isRecord(value) && isRecord(value.info) && Array.isArray(value.parts);
}

function malformed(index: number): Issue {
  const message = "skipped: this message has no info and parts";
  return { code: "malformed-message", severity: "warning", where: `messages/${index}`, message };
}

function parseExport(text: string): Result<JsonRecord> {
  try {
    const value: unknown = JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
    if (isRecord(value) && Array.isArray(value.messages)) return { ok: true, value };
    return unreadable("it has no messages; export the session again: opencode export <session> > file.json");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return unreadable(
      `it is cut off or damaged (${why}); export the session again: opencode export <session>`,
    );
  }
}

function unreadable(what: string): Result<JsonRecord> {
  const message = `this looks like an OpenCode export, but ${what}`;
  return { ok: false, issue: { code: "unreadable-input", severity: "error", message } };
}
