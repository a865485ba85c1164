import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { type FoundSession, malformed, parseDocument } from "./document.ts";
import { isString, listAt, numberAt, stringAt } from "./json.ts";
import type { Recording, RecordingKind } from "./recording.ts";
import { SegmentSteps } from "./segment-steps.ts";
import { type AnthropicSegment, addBlocks, toAnthropic, withoutBlanks } from "./to-anthropic.ts";

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
 * A task of Cline or Roo Code, as messages of the Messages API. If the agent calls its tools in XML, calls and
 * results are text. Roo keeps condensed messages in the file: one with `condenseParent` is not sent while the
 * summary with that `condenseId` exists.
 */
export function parseClineRoo(text: string, name?: string): Result<Recording> {
  return parseDocument("cline-roo", text, name, readTask);
}

function readTask(document: unknown, issues: Issue[]): FoundSession {
  const all: readonly unknown[] = Array.isArray(document) ? document : [];
  const summaries = new Set(all.filter(isRecord).map((message) => stringAt(message, "condenseId")));
  const segment: AnthropicSegment = new SegmentSteps();
  for (const [index, message] of all.entries()) {
    if (!isRecord(message) || !isString(message.role)) issues.push(malformed(String(index)));
    else if (!isString(message.condenseParent) || !summaries.has(message.condenseParent))
      addMessage(message, segment, issues);
  }
  return { format: "anthropic-messages", segments: [toAnthropic(segment, issues)] };
}

function addMessage(message: JsonRecord, segment: AnthropicSegment, issues: Issue[]): void {
  const time = numberAt(message, "ts");
  const text = stringAt(message, "content");
  const blocks = text === undefined ? listAt(message, "content").filter(isRecord) : [{ type: "text", text }];
  if (message.role === "assistant") {
    const content = withoutBlanks(blocks);
    if (!content || isString(content)) return;
    const step = segment.openStep();
    step.time = time;
    addBlocks(content, step, segment);
    return;
  }
  for (const result of blocks.filter(({ type }) => type === "tool_result"))
    segment.addResult(stringAt(result, "tool_use_id") ?? "", result, time, issues);
  const input = withoutBlanks(blocks.filter(({ type }) => type !== "tool_result"));
  if (input) segment.addInput(input, time);
}
