import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { type Found, malformed, parseDocument } from "./document.ts";
import { EpochSteps } from "./epoch-steps.ts";
import { isString, listAt, numberAt, stringAt } from "./json.ts";
import type { Recording, RecordingKind } from "./recording.ts";
import { type AnthropicEpoch, addBlocks, toAnthropic, withoutBlanks } from "./to-anthropic.ts";

export const clineRoo: RecordingKind = {
  name: "cline-roo",
  lookedFor:
    "Cline or Roo Code (api_conversation_history.json): a list of messages with role, content and ts",
  matches: ({ document }) =>
    Array.isArray(document) &&
    document.some((each) => isRecord(each) && isString(each.role) && numberAt(each, "ts") !== undefined),
  parse: parseClineRoo,
};

/**
 * A task of Cline or Roo Code, as messages of the Messages API. Where the agent calls its tools in XML, calls and
 * results are text. Roo keeps condensed messages in the file: one with `condenseParent` is not sent while the summary
 * with that `condenseId` is there.
 */
export function parseClineRoo(text: string, name?: string): Result<Recording> {
  return parseDocument("cline-roo", text, name, readTask);
}

function readTask(document: unknown, issues: Issue[]): Found {
  const all: readonly unknown[] = Array.isArray(document) ? document : [];
  const summaries = new Set(all.filter(isRecord).map((message) => stringAt(message, "condenseId")));
  const epoch: AnthropicEpoch = new EpochSteps();
  for (const [index, message] of all.entries()) {
    if (!isRecord(message) || !isString(message.role)) issues.push(malformed(String(index)));
    else if (!isString(message.condenseParent) || !summaries.has(message.condenseParent))
      addMessage(message, epoch, issues);
  }
  return { format: "anthropic-messages", segments: [toAnthropic(epoch, issues)] };
}

function addMessage(message: JsonRecord, epoch: AnthropicEpoch, issues: Issue[]): void {
  const time = numberAt(message, "ts");
  const text = stringAt(message, "content");
  const blocks = text === undefined ? listAt(message, "content").filter(isRecord) : [{ type: "text", text }];
  if (message.role === "assistant") {
    const said = withoutBlanks(blocks);
    if (!said || isString(said)) return;
    const step = epoch.openStep();
    step.time = time;
    addBlocks(said, step, epoch);
    return;
  }
  for (const result of blocks.filter(({ type }) => type === "tool_result"))
    epoch.addResult(stringAt(result, "tool_use_id") ?? "", result, time, issues);
  const input = withoutBlanks(blocks.filter(({ type }) => type !== "tool_result"));
  if (input) epoch.addInput(input, time);
}
