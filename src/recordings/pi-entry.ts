import type { Issue } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import type { Usage } from "../transcript/message.ts";
import { makeMeta } from "./chat-message.ts";
import { listAt, numberAt, objectAt, stringAt, timeOf } from "./json.ts";
import type { PaidRequest } from "./recording.ts";
import { knownUsage } from "./segment-steps.ts";
import { type AnthropicContent, type AnthropicSegment, addBlocks, withoutBlanks } from "./to-anthropic.ts";

/** Adds the messages of an entry. A `compaction` starts a new segment: the caller handles it. */
export function readEntry(entry: JsonRecord, segment: AnthropicSegment, issues: Issue[]): void {
  if (entry.type === "custom_message") addInput(contentOf(entry), entry, segment);
  if (entry.type === "branch_summary") addInput(summaryText(entry), entry, segment);
  const message = entry.type === "message" ? objectAt(entry, "message") : undefined;
  switch (message?.role) {
    case "user":
    case "custom":
    case "hookMessage":
      addInput(contentOf(message), entry, segment);
      break;
    case "bashExecution":
      if (message.excludeFromContext !== true) addInput(shellText(message), entry, segment);
      break;
    case "assistant":
      addResponse(message, entry, segment);
      break;
    case "toolResult":
      addResult(message, entry, segment, issues);
      break;
  }
}

export function addInput(content: AnthropicContent, entry: JsonRecord, segment: AnthropicSegment): void {
  const input = withoutBlanks(content);
  if (input) segment.addInput(input, timeOf(entry));
}

/**
 * An answer that is not in the history: it failed or was aborted, so that pi leaves it out of its next request, or
 * it is empty.
 */
export function isLeftOut(entry: JsonRecord): boolean {
  return readBlocks(objectAt(entry, "message") ?? {}) === undefined;
}

function readBlocks(message: JsonRecord): readonly JsonRecord[] | undefined {
  if (message.stopReason === "aborted" || message.stopReason === "error") return undefined;
  const blocks = withoutBlanks(contentOf(message));
  return typeof blocks === "string" ? undefined : blocks;
}

function addResponse(message: JsonRecord, entry: JsonRecord, segment: AnthropicSegment): void {
  const blocks = readBlocks(message);
  if (!blocks) return;
  const step = segment.openStep();
  step.time = timeOf(entry);
  step.model = stringAt(message, "model");
  step.usage = usageOf(objectAt(message, "usage"));
  step.cost = costOf(objectAt(message, "usage"));
  addBlocks(blocks, step, segment);
}

function addResult(message: JsonRecord, entry: JsonRecord, segment: AnthropicSegment, issues: Issue[]): void {
  const callId = stringAt(message, "toolCallId") ?? "";
  const isError = message.isError === true && { is_error: true };
  const content = withoutBlanks(contentOf(message)) ?? "";
  const result = { type: "tool_result", tool_use_id: callId, content, ...isError };
  // oh-my-pi sets `prunedAt` on results that it has pruned itself.
  segment.addResult(callId, result, timeOf(entry), issues, numberAt(message, "prunedAt") !== undefined);
}

function contentOf(message: JsonRecord): AnthropicContent {
  return stringAt(message, "content") ?? listAt(message, "content").filter(isRecord).map(toBlock);
}

/**
 * Converts a pi block to a block of the Messages API. Reasoning of other APIs, without a signature, stays
 * reasoning.
 */
function toBlock(block: JsonRecord): JsonRecord {
  const signature = stringAt(block, "thinkingSignature");
  switch (block.type) {
    case "toolCall":
      return { type: "tool_use", id: block.id, name: block.name, input: block.arguments };
    case "thinking":
      if (block.redacted === true) return { type: "redacted_thinking", data: signature };
      return { type: "thinking", thinking: block.thinking, ...(signature !== undefined && { signature }) };
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return {
        type: "image",
        source: { type: "base64", media_type: block.mimeType, data: block.data },
      };
    default:
      return block;
  }
}

export function summaryText(entry: JsonRecord): string {
  return `<summary>\n${stringAt(entry, "summary") ?? ""}\n</summary>`;
}

function shellText(message: JsonRecord): string {
  const exitCode = numberAt(message, "exitCode") ?? 0;
  const end = exitCode === 0 ? "" : `\n[exit code ${exitCode}]`;
  return `$ ${stringAt(message, "command") ?? ""}\n${stringAt(message, "output") ?? ""}${end}`;
}

/** The answer of a paid entry. */
export function readPaid(entry: JsonRecord): Omit<PaidRequest, "kind"> | undefined {
  const message = entry.type === "message" ? objectAt(entry, "message") : undefined;
  const usage = message?.role === "assistant" ? usageOf(objectAt(message, "usage")) : undefined;
  if (!usage) return undefined;
  const cost = costOf(objectAt(message, "usage"));
  return { ...makeMeta({ time: timeOf(entry), model: stringAt(message, "model"), cost }), usage };
}

function costOf(usage: JsonRecord | undefined): number | undefined {
  return numberAt(objectAt(usage, "cost"), "total");
}

function usageOf(usage: JsonRecord | undefined): Usage | undefined {
  return knownUsage({
    input: numberAt(usage, "input") ?? 0,
    cacheRead: numberAt(usage, "cacheRead") ?? 0,
    cacheWrite: numberAt(usage, "cacheWrite") ?? 0,
    output: numberAt(usage, "output") ?? 0,
  });
}
