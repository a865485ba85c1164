import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { addChatMessage, makeMeta, readChatUsage } from "./chat-message.ts";
import { type FoundSession, malformed, parseDocument } from "./document.ts";
import { fromSeconds, listAt, numberAt, objectAt, stringAt } from "./json.ts";
import type { Recording, RecordingKind } from "./recording.ts";
import { SegmentSteps } from "./segment-steps.ts";
import { type ChatSegment, toChat } from "./to-chat.ts";

export const miniSweAgent: RecordingKind = {
  name: "mini-swe-agent",
  lookedFor:
    "mini-swe-agent trajectory (*.traj.json): a JSON object with info, messages and trajectory_format",
  matches: ({ document }) =>
    isRecord(document) &&
    Array.isArray(document.messages) &&
    (stringAt(document, "trajectory_format")?.startsWith("mini-swe-agent") === true ||
      stringAt(objectAt(document, "info"), "mini_version") !== undefined),
  parse: parseMiniSweAgent,
};

/** A trajectory of mini-swe-agent, as messages of chat completions, without the `exit` at its end. */
export function parseMiniSweAgent(text: string, name?: string): Result<Recording> {
  return parseDocument("mini-swe-agent", text, name, readTrajectory);
}

function readTrajectory(document: unknown, issues: Issue[]): FoundSession {
  const trajectory = isRecord(document) ? document : {};
  const settings = objectAt(objectAt(objectAt(trajectory, "info"), "config"), "model");
  const segment: ChatSegment = new SegmentSteps();
  for (const [index, message] of listAt(trajectory, "messages").entries()) {
    if (isRecord(message)) addChatMessage(message, metaOf(message, settings), segment, issues);
    else issues.push(malformed(`messages/${index}`));
  }
  const session = stringAt(trajectory, "instance_id");
  return { format: "openai-chat", session, segments: [toChat(segment, issues)] };
}

function metaOf(message: JsonRecord, settings: JsonRecord | undefined) {
  const extra = objectAt(message, "extra");
  const response = objectAt(extra, "response");
  const time = fromSeconds(numberAt(extra, "timestamp"));
  if (message.role !== "assistant") return makeMeta({ time });
  const model = stringAt(response, "model") ?? stringAt(settings, "model_name");
  const usage = readChatUsage(objectAt(response, "usage"));
  return makeMeta({ time, model, usage, cost: numberAt(extra, "cost") });
}
