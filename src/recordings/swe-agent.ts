import type { Issue, Result } from "../basics/issue.ts";
import { isRecord } from "../basics/json.ts";
import { addChatMessage, makeMeta } from "./chat-message.ts";
import { type FoundSession, malformed, parseDocument } from "./document.ts";
import { listAt, objectAt, stringAt } from "./json.ts";
import type { Recording, RecordingKind } from "./recording.ts";
import { SegmentSteps } from "./segment-steps.ts";
import { type ChatSegment, toChat } from "./to-chat.ts";

export const sweAgent: RecordingKind = {
  name: "swe-agent",
  lookedFor: "SWE-agent trajectory (*.traj): a JSON object with trajectory and history",
  matches: ({ document }) =>
    isRecord(document) && Array.isArray(document.trajectory) && Array.isArray(document.history),
  parse: parseSweAgent,
};

/**
 * A trajectory of SWE-agent, as messages of chat completions: its `history`, including the demonstrations, which
 * the model read too. If the agent answered in text (`thought`, then the command in a code block), there are no
 * calls, only text. It records no times, and only a total of tokens.
 */
export function parseSweAgent(text: string, name?: string): Result<Recording> {
  return parseDocument("swe-agent", text, name, readTrajectory);
}

function readTrajectory(document: unknown, issues: Issue[]): FoundSession {
  const trajectory = isRecord(document) ? document : {};
  const agent = objectAt(objectAt(trajectory, "replay_config"), "agent");
  const model = stringAt(objectAt(agent, "model"), "name");
  const segment: ChatSegment = new SegmentSteps();
  for (const [index, message] of listAt(trajectory, "history").entries()) {
    if (!isRecord(message)) issues.push(malformed(`history/${index}`));
    else
      addChatMessage(
        message,
        makeMeta({ model: message.role === "assistant" ? model : undefined }),
        segment,
        issues,
      );
  }
  const session = stringAt(trajectory, "environment");
  return { format: "openai-chat", session, segments: [toChat(segment, issues)] };
}
