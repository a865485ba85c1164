import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { detectFormat } from "../formats/detect.ts";
import type { FormatName } from "../formats/format.ts";
import { isModelItem as isAgentsModelItem } from "../formats/openai-agents/items.ts";
import { isModelItem, isReference } from "../formats/openai-responses/items.ts";
import type { MessageMeta } from "../transcript/message.ts";
import { malformed, readDocument } from "./document.ts";
import { isString, listAt, stringAt } from "./json.ts";
import { readJsonLines } from "./json-lines.ts";
import { type Head, makeRecording, type Recording, type RecordingKind, type Segment } from "./recording.ts";

export const plainMessages: RecordingKind = {
  name: "messages",
  lookedFor:
    "plain messages of OpenAI, Anthropic, Gemini or OpenCode: a JSON list, an object with messages, input or contents, or one message or conversation a line",
  matches: (head) => findConversations(head).some(({ messages }) => detectFormat(messages) !== undefined),
  parse: parsePlainMessages,
};

interface Conversation {
  readonly messages: readonly unknown[];
  /** The object that contains the messages: a request also has the model there. */
  readonly around: JsonRecord;
}

/** Messages of a live format, unchanged: nothing is left out, reordered or added. */
export function parsePlainMessages(text: string, name?: string): Result<Recording> {
  const document = readDocument(text);
  const { records, issues: broken } = document.ok ? { records: [], issues: [] } : readJsonLines(text, name);
  const issues: Issue[] = [...broken];
  const conversations = findConversations({ records, document: document.ok ? document.value : undefined });
  const format = detectFormat(conversations.flatMap(({ messages }) => messages)) ?? "openai-chat";
  const recording = makeRecording({
    source: "messages",
    format,
    session: undefined,
    segments: conversations.map((conversation, i) => ({
      ...toSegment(conversation, format, issues),
      ...(i > 0 && { separate: true }),
    })),
    issues,
    skipped: issues.length,
  });
  return { ok: true, value: recording };
}

function findConversations({
  document,
  records,
}: Pick<Head, "document" | "records">): readonly Conversation[] {
  if (Array.isArray(document)) return [{ messages: document, around: {} }];
  const lines = isRecord(document) ? [document] : records;
  const field = (["messages", "input", "contents"] as const).find((name) =>
    lines.some((line) => Array.isArray(line[name])),
  );
  if (field === undefined) return [{ messages: lines, around: {} }];
  return lines.map((line) => ({ messages: listAt(line, field), around: line }));
}

function toSegment({ messages: all, around }: Conversation, format: FormatName, issues: Issue[]): Segment {
  const isModels = MODEL_ITEMS.get(format);
  const isMessage = isModels ? isResponsesItem : isPlainMessage;
  for (const [index, message] of all.entries())
    if (!isMessage(message)) issues.push(malformed(String(index)));
  const messages = all.filter(isMessage);
  const model = stringAt(around, "model");
  const isAnswer = (message: JsonRecord) =>
    isModels ? isModels(message) : message.role === "assistant" || message.role === "model";
  const meta = messages.map((message): MessageMeta => (model && isAnswer(message) ? { model } : {}));
  return { messages, meta, carried: 0 };
}

/** Formats whose responses are several items. */
const MODEL_ITEMS: ReadonlyMap<FormatName, (item: JsonRecord) => boolean> = new Map([
  ["openai-responses", isModelItem],
  ["openai-agents", isAgentsModelItem],
]);

function isPlainMessage(value: unknown): value is JsonRecord {
  return isRecord(value) && (isString(value.role) || (isRecord(value.info) && Array.isArray(value.parts)));
}

/** Calls, their outputs and reasoning have a type and no role; references to stored items may have only an id. */
function isResponsesItem(value: unknown): value is JsonRecord {
  return isRecord(value) && (isString(value.role) || isString(value.type) || isReference(value));
}
