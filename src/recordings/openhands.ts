import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { addChatMessage, makeMeta, readChatUsage } from "./chat-message.ts";
import { type FoundSession, malformed, parseDocument } from "./document.ts";
import { fromSeconds, listAt, numberAt, objectAt, stringAt } from "./json.ts";
import { EventReader, isEvent } from "./openhands-event.ts";
import type { Recording, RecordingKind } from "./recording.ts";
import { SegmentSteps } from "./segment-steps.ts";
import { type ChatSegment, toChat } from "./to-chat.ts";

export const openHands: RecordingKind = {
  name: "openhands",
  lookedFor:
    "OpenHands: a logged completion (a JSON object with messages and response), or a list of events with source and action or observation",
  matches: ({ document }) => isCompletion(document) || listEvents(document).some(isEvent),
  parse: parseOpenHands,
};

/**
 * A session of OpenHands, as messages of chat completions. The file is the last completion that it logged (the request
 * and its response; usage of earlier requests is in other files), or its list of events.
 */
export function parseOpenHands(text: string, name?: string): Result<Recording> {
  return parseDocument("openhands", text, name, (document, issues) => {
    const segments = isCompletion(document) ? readCompletion(document, issues) : readEvents(document, issues);
    const found: FoundSession = {
      format: "openai-chat",
      segments: segments.map((segment) => toChat(segment, issues)),
    };
    return found;
  });
}

function isCompletion(document: unknown): document is JsonRecord {
  return (
    isRecord(document) &&
    Array.isArray(document.messages) &&
    Array.isArray(objectAt(document, "response")?.choices)
  );
}

function readCompletion(completion: JsonRecord, issues: Issue[]): readonly ChatSegment[] {
  const segment: ChatSegment = new SegmentSteps();
  for (const [index, message] of listAt(completion, "messages").entries()) {
    if (isRecord(message)) addChatMessage(message, {}, segment, issues);
    else issues.push(malformed(`messages/${index}`));
  }
  const response = objectAt(completion, "response");
  const [choice] = listAt(response, "choices");
  const answer = isRecord(choice) ? objectAt(choice, "message") : undefined;
  const time = fromSeconds(numberAt(completion, "timestamp") ?? numberAt(response, "created"));
  const meta = makeMeta({
    time,
    model: stringAt(response, "model"),
    usage: readChatUsage(objectAt(response, "usage")),
  });
  if (answer) addChatMessage({ ...answer, role: "assistant" }, meta, segment, issues);
  return [segment];
}

/** `trajectory.json` is the list; an evaluation's output has it as `history`. */
function listEvents(document: unknown): readonly unknown[] {
  return Array.isArray(document) ? document : listAt(isRecord(document) ? document : undefined, "history");
}

function readEvents(document: unknown, issues: Issue[]): readonly ChatSegment[] {
  const reader = new EventReader(issues);
  for (const [index, event] of listEvents(document).entries()) {
    if (isEvent(event)) reader.read(event);
    else issues.push(malformed(String(index)));
  }
  return [reader.segment];
}
