import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { writeJson } from "../basics/write-json.ts";
import type { Usage } from "../transcript/message.ts";
import { addChatResponse, makeMeta } from "./chat-message.ts";
import { type FoundSession, malformed, parseDocument } from "./document.ts";
import { addGeminiContent, isGeminiContent, readGeminiParts, responseText } from "./gemini-content.ts";
import { isString, listAt, numberAt, objectAt, stringAt, timeOf } from "./json.ts";
import type { Recording, RecordingKind } from "./recording.ts";
import { knownUsage, SegmentSteps } from "./segment-steps.ts";
import { type ChatBlock, type ChatSegment, toChat } from "./to-chat.ts";

export const geminiCli: RecordingKind = {
  name: "gemini-cli",
  lookedFor:
    "Gemini CLI (~/.gemini/tmp/*/chats/session-*.json, or a list saved by /chat): messages with type user or gemini, or contents with role and parts",
  matches: ({ document }) =>
    Array.isArray(document)
      ? document.some(isGeminiContent)
      : listAt(asRecord(document), "messages").some(isMessage),
  parse: parseGeminiCli,
};

/**
 * A session of Gemini CLI, as messages of chat completions. The file is its log, or contents in the API's format.
 */
export function parseGeminiCli(text: string, name?: string): Result<Recording> {
  return parseDocument("gemini-cli", text, name, readSession);
}

function readSession(document: unknown, issues: Issue[]): FoundSession {
  const segment: ChatSegment = new SegmentSteps();
  if (Array.isArray(document)) {
    for (const [index, content] of document.entries()) {
      if (isGeminiContent(content)) addGeminiContent(content, index, segment, issues);
      else issues.push(malformed(String(index)));
    }
  } else {
    for (const [index, message] of listAt(asRecord(document), "messages").entries()) {
      if (isRecord(message)) readMessage(message, segment, issues);
      else issues.push(malformed(`messages/${index}`));
    }
  }
  const session = stringAt(asRecord(document), "sessionId");
  return { format: "openai-chat", session, segments: [toChat(segment, issues)] };
}

/** Skips notes of the host (`info`, `error`), which were never sent, and thoughts, which Gemini does not accept. */
function readMessage(message: JsonRecord, segment: ChatSegment, issues: Issue[]): void {
  if (message.type === "user") {
    const content = stringAt(message, "content") ?? readGeminiParts(listAt(message, "content"));
    if (content.length > 0) segment.addInput({ role: "user", content }, timeOf(message));
  }
  if (message.type !== "gemini") return;
  const text = stringAt(message, "content");
  const calls = listAt(message, "toolCalls").filter(isRecord);
  const blocks: ChatBlock[] = text ? [{ kind: "text", text }] : [];
  const meta = makeMeta({
    time: timeOf(message),
    model: stringAt(message, "model"),
    usage: usageOf(objectAt(message, "tokens")),
  });
  addChatResponse([...blocks, ...calls.map(readCall)], meta, segment);
  for (const call of calls) {
    const [part] = listAt(call, "result").filter(isRecord);
    const response = objectAt(part, "functionResponse");
    if (response) segment.addResult(stringAt(call, "id") ?? "", responseText(response), timeOf(call), issues);
  }
}

function readCall(call: JsonRecord): ChatBlock {
  return {
    kind: "call",
    id: stringAt(call, "id") ?? "",
    name: stringAt(call, "name") ?? "",
    arguments: writeJson(call.args ?? {}),
  };
}

/**
 * `input` includes tokens read from the cache. Thoughts are billed as output, and the input of the provider's own
 * tools as input.
 */
function usageOf(tokens: JsonRecord | undefined): Usage | undefined {
  const cacheRead = numberAt(tokens, "cached") ?? 0;
  return knownUsage({
    input: Math.max(0, (numberAt(tokens, "input") ?? 0) - cacheRead) + (numberAt(tokens, "tool") ?? 0),
    cacheRead,
    cacheWrite: 0,
    output: (numberAt(tokens, "output") ?? 0) + (numberAt(tokens, "thoughts") ?? 0),
  });
}

function isMessage(value: unknown): boolean {
  return isRecord(value) && (value.type === "gemini" || value.type === "user") && isString(value.timestamp);
}

function asRecord(value: unknown): JsonRecord | undefined {
  return isRecord(value) ? value : undefined;
}
