import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import type { Usage } from "../transcript/message.ts";
import { addChatMessage, makeMeta } from "./chat-message.ts";
import { type FoundSession, malformed, parseDocument } from "./document.ts";
import { isString, listAt, numberAt, objectAt, stringAt, timeOf } from "./json.ts";
import type { Recording, RecordingKind } from "./recording.ts";
import { knownUsage, SegmentSteps } from "./segment-steps.ts";
import { type ChatSegment, toChat } from "./to-chat.ts";

export const traeAgent: RecordingKind = {
  name: "trae-agent",
  lookedFor: "trae-agent trajectory (trajectory_*.json): a JSON object with llm_interactions and agent_steps",
  matches: ({ document }) => isRecord(document) && Array.isArray(document.llm_interactions),
  parse: parseTraeAgent,
};

/**
 * A trajectory of trae-agent, as messages of chat completions. Each interaction contains the new messages of its
 * request, and the response. A call that trae-agent did not carry out (`task_done` with nothing done) has no
 * result.
 */
export function parseTraeAgent(text: string, name?: string): Result<Recording> {
  return parseDocument("trae-agent", text, name, readTrajectory);
}

function readTrajectory(document: unknown, issues: Issue[]): FoundSession {
  const segment: ChatSegment = new SegmentSteps();
  const interactions = listAt(isRecord(document) ? document : undefined, "llm_interactions");
  for (const [index, interaction] of interactions.entries()) {
    if (isRecord(interaction)) readInteraction(interaction, segment, issues);
    else issues.push(malformed(`llm_interactions/${index}`));
  }
  return { format: "openai-chat", segments: [toChat(segment, issues)] };
}

function readInteraction(interaction: JsonRecord, segment: ChatSegment, issues: Issue[]): void {
  // The recorded time is the response's; the time of its input was not recorded.
  for (const message of listAt(interaction, "input_messages").filter(isRecord)) {
    const result = objectAt(message, "tool_result");
    if (result) segment.addResult(stringAt(result, "call_id") ?? "", resultText(result), undefined, issues);
    else addChatMessage(message, {}, segment, issues);
  }
  const response = objectAt(interaction, "response");
  if (!response) return;
  const meta = makeMeta({
    time: timeOf(interaction),
    model: stringAt(interaction, "model"),
    usage: usageOf(objectAt(response, "usage"), interaction.provider),
  });
  const calls = listAt(response, "tool_calls").filter(isRecord).map(toChatCall);
  addChatMessage({ role: "assistant", content: response.content, tool_calls: calls }, meta, segment, issues);
}

function toChatCall(call: JsonRecord): JsonRecord {
  return { id: call.call_id, name: call.name, arguments: call.arguments };
}

function resultText(result: JsonRecord): string {
  const error = stringAt(result, "error");
  const failure = error ? `Tool call failed with error:\n${error}` : undefined;
  return [stringAt(result, "result"), failure]
    .filter(isString)
    .filter((text) => text !== "")
    .join("\n");
}

/** Anthropic counts cached tokens separately; for all others they are part of the input. */
function usageOf(usage: JsonRecord | undefined, provider: unknown): Usage | undefined {
  const cacheRead = numberAt(usage, "cache_read_input_tokens") ?? 0;
  const cacheWrite = numberAt(usage, "cache_creation_input_tokens") ?? 0;
  const counted = provider === "anthropic" || provider === "bedrock" ? 0 : cacheRead + cacheWrite;
  return knownUsage({
    input: Math.max(0, (numberAt(usage, "input_tokens") ?? 0) - counted),
    cacheRead,
    cacheWrite,
    output: numberAt(usage, "output_tokens") ?? 0,
  });
}
