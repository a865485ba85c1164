import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { addChatMessage, makeMeta, readChatUsage } from "./chat-message.ts";
import { type Found, malformed, parseDocument } from "./document.ts";
import { EpochSteps } from "./epoch-steps.ts";
import { listAt, objectAt, stringAt, timeOf } from "./json.ts";
import type { Recording, RecordingKind, Segment } from "./recording.ts";
import { type ChatEpoch, toChat } from "./to-chat.ts";

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

function readRun(document: unknown, issues: Issue[]): Found {
  const run = isRecord(document) ? document : {};
  const model = stringAt(objectAt(objectAt(run, "info"), "agent_info"), "llm");
  const segments = listAt(run, "simulations").flatMap((simulation, index) => {
    if (isRecord(simulation))
      return [
        { ...readSimulation(simulation, model, issues), ...(index > 0 && { separate: true as const }) },
      ];
    issues.push(malformed(`simulations/${index}`));
    return [];
  });
  return { format: "openai-chat", segments };
}

function readSimulation(simulation: JsonRecord, model: string | undefined, issues: Issue[]): Segment {
  const epoch: ChatEpoch = new EpochSteps();
  for (const message of listAt(simulation, "messages").filter(isRecord)) {
    if (message.requestor === "user") continue;
    // The greeting that opens a simulation has no usage and no model: no request was made for it.
    const usage = message.role === "assistant" ? readChatUsage(objectAt(message, "usage")) : undefined;
    const meta = makeMeta({ time: timeOf(message), model: usage && model, usage });
    addChatMessage({ ...message, tool_call_id: message.id }, meta, epoch, issues);
  }
  return toChat(epoch, issues);
}
