import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import type { MessageMeta } from "../transcript/message.ts";
import { addChatMessage, makeMeta, readChatUsage } from "./chat-message.ts";
import { type FoundSession, malformed, parseDocument } from "./document.ts";
import { listAt, numberAt, objectAt, stringAt, timeOf } from "./json.ts";
import type { PaidRequest, Recording, RecordingKind, Segment } from "./recording.ts";
import { SegmentSteps } from "./segment-steps.ts";
import { type ChatSegment, toChat } from "./to-chat.ts";

export const tau2Bench: RecordingKind = {
  name: "tau2-bench",
  lookedFor: "tau2-bench results: a JSON object with tasks and simulations",
  matches: ({ document }) =>
    isRecord(document) && Array.isArray(document.simulations) && Array.isArray(document.tasks),
  parse: parseTau2Bench,
};

/** A run of tau2-bench, as messages of chat completions, as the agent saw them. Each simulation is a segment. */
export function parseTau2Bench(text: string, name?: string): Result<Recording> {
  return parseDocument("tau2-bench", text, name, readRun);
}

function readRun(document: unknown, issues: Issue[]): FoundSession {
  const run = isRecord(document) ? document : {};
  const info = objectAt(run, "info");
  const model = stringAt(objectAt(info, "agent_info"), "llm");
  const playing = stringAt(objectAt(info, "user_info"), "llm");
  const asides: PaidRequest[] = [];
  const segments = listAt(run, "simulations").flatMap((simulation, index) => {
    if (isRecord(simulation)) {
      for (const message of listAt(simulation, "messages").filter(isRecord)) {
        const paid = message.role === "user" ? readPaid(message, playing) : {};
        if (paid.usage) asides.push({ kind: "played-user", ...paid, usage: paid.usage });
      }
      const separate = index > 0 ? { separate: true as const } : {};
      return [{ ...readSimulation(simulation, model, issues), ...separate }];
    }
    issues.push(malformed(`simulations/${index}`));
    return [];
  });
  return { format: "openai-chat", segments, asides };
}

function readSimulation(simulation: JsonRecord, model: string | undefined, issues: Issue[]): Segment {
  const segment: ChatSegment = new SegmentSteps();
  for (const message of listAt(simulation, "messages").filter(isRecord)) {
    if (message.requestor === "user") continue;
    // The greeting that opens a simulation has no usage and no model: no request was made for it.
    const meta = readPaid(message, model);
    const known = message.role === "assistant" && meta.usage ? meta : makeMeta({ time: timeOf(message) });
    addChatMessage({ ...message, tool_call_id: message.id }, known, segment, issues);
  }
  return toChat(segment, issues);
}

function readPaid(message: JsonRecord, model: string | undefined): MessageMeta {
  const usage = readChatUsage(objectAt(message, "usage"));
  return makeMeta({ time: timeOf(message), model, usage, cost: numberAt(message, "cost") });
}
