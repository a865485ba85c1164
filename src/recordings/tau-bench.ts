import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { addChatMessage } from "./chat-message.ts";
import { type FoundSession, malformed, parseDocument } from "./document.ts";
import { listAt } from "./json.ts";
import type { Recording, RecordingKind, Segment } from "./recording.ts";
import { SegmentSteps } from "./segment-steps.ts";
import { type ChatSegment, toChat } from "./to-chat.ts";

export const tauBench: RecordingKind = {
  name: "tau-bench",
  lookedFor: "tau-bench results: a JSON list of objects with task_id, reward and traj",
  matches: ({ document }) => Array.isArray(document) && document.some(isTrajectory),
  parse: parseTauBench,
};

/**
 * A run of tau-bench (its first version), as messages of chat completions. Each trajectory is a conversation: a segment.
 */
export function parseTauBench(text: string, name?: string): Result<Recording> {
  return parseDocument("tau-bench", text, name, readRun);
}

function readRun(document: unknown, issues: Issue[]): FoundSession {
  const segments = (Array.isArray(document) ? document : []).flatMap((trajectory, index) => {
    if (isTrajectory(trajectory)) return [readTrajectory(trajectory, `${index}/traj`, issues)];
    issues.push(malformed(`${index}`));
    return [];
  });
  return {
    format: "openai-chat",
    segments: segments.map((segment, i) => (i > 0 ? { ...segment, separate: true } : segment)),
  };
}

/** Times, model and usage are not recorded. A run that failed before its first message has none in `traj`. */
function readTrajectory(trajectory: JsonRecord, where: string, issues: Issue[]): Segment {
  const segment: ChatSegment = new SegmentSteps();
  for (const [index, message] of listAt(trajectory, "traj").entries()) {
    if (isRecord(message)) addChatMessage(message, {}, segment, issues);
    else issues.push(malformed(`${where}/${index}`));
  }
  return toChat(segment, issues);
}

function isTrajectory(value: unknown): value is JsonRecord {
  return isRecord(value) && Array.isArray(value.traj) && "task_id" in value && "reward" in value;
}
