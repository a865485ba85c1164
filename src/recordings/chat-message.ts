import type { Issue } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { writeJson } from "../basics/write-json.ts";
import type { MessageMeta, Usage } from "../transcript/message.ts";
import { isString, listAt, numberAt, objectAt, stringAt } from "./json.ts";
import { knownUsage } from "./segment-steps.ts";
import type { ChatBlock, ChatContent, ChatSegment } from "./to-chat.ts";

/** The text of a response that was recorded without any readable content: the request was made all the same. */
const noText = "[no text recorded]";

/**
 * Adds a message of chat completions; fields that an agent added are ignored. A message with a role that no
 * provider knows (`exit`) or without content was never sent and is skipped.
 */
export function addChatMessage(
  message: JsonRecord,
  meta: MessageMeta,
  segment: ChatSegment,
  issues: Issue[],
): void {
  switch (message.role) {
    case "assistant":
      addChatResponse(readBlocks(message), meta, segment);
      break;
    case "tool": {
      const [callId = ""] = [message.tool_call_id, ...listAt(message, "tool_call_ids")].filter(isString);
      segment.addResult(callId, readContent(message.content) ?? "", meta.time, issues);
      break;
    }
    case "system":
    case "developer":
    case "user": {
      const content = readContent(message.content);
      if (content !== undefined) segment.addInput({ role: message.role, content }, meta.time);
    }
  }
}

/** Opens a step for a response. */
export function addChatResponse(blocks: readonly ChatBlock[], meta: MessageMeta, segment: ChatSegment): void {
  const step = segment.openStep();
  step.time = meta.time;
  step.model = meta.model;
  step.usage = meta.usage;
  step.cost = meta.cost;
  for (const block of blocks) {
    if (block.kind === "call") segment.addCall(step, block, block);
    else step.blocks.push(block);
  }
  if (step.blocks.length === 0) step.blocks.push({ kind: "text", text: noText });
}

/** `prompt_tokens` include tokens that were read from the cache and written to it. */
export function readChatUsage(usage: JsonRecord | undefined): Usage | undefined {
  const cacheRead =
    numberAt(objectAt(usage, "prompt_tokens_details"), "cached_tokens") ??
    numberAt(usage, "cache_read_input_tokens") ??
    0;
  const cacheWrite = numberAt(usage, "cache_creation_input_tokens") ?? 0;
  const input = (numberAt(usage, "prompt_tokens") ?? 0) - cacheRead - cacheWrite;
  return knownUsage({
    input: Math.max(0, input),
    cacheRead,
    cacheWrite,
    output: numberAt(usage, "completion_tokens") ?? 0,
  });
}

/** Leaves out the fields that are `undefined`. */
export function makeMeta(
  known: { readonly [K in keyof MessageMeta]: MessageMeta[K] | undefined },
): MessageMeta {
  const { time, model, usage, cost } = known;
  return {
    ...(time !== undefined && { time }),
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage }),
    ...(cost !== undefined && { cost }),
  };
}

function readBlocks(message: JsonRecord): readonly ChatBlock[] {
  const reasoning = stringAt(message, "reasoning_content");
  const content = readContent(message.content) ?? [];
  const texts = isString(content)
    ? [content]
    : content.map((block) => stringAt(block, "text")).filter(isString);
  return [
    ...(reasoning ? [{ kind: "reasoning" as const, text: reasoning }] : []),
    ...texts.map((text) => ({ kind: "text" as const, text })),
    ...listAt(message, "tool_calls").filter(isRecord).flatMap(readCall),
  ];
}

function readCall(call: JsonRecord): readonly ChatBlock[] {
  const id = stringAt(call, "id");
  const body = objectAt(call, "function") ?? call;
  const name = stringAt(body, "name");
  if (id === undefined || name === undefined) return [];
  const args = stringAt(body, "arguments") ?? writeJson(body.arguments ?? {});
  return [{ kind: "call", id, name, arguments: args }];
}

/** A text, or text and image blocks without added fields; `undefined` if it is empty. */
function readContent(content: unknown): ChatContent | undefined {
  if (isString(content)) return content === "" ? undefined : content;
  const blocks = (Array.isArray(content) ? content : []).filter(isRecord).flatMap(readBlock);
  return blocks.length === 0 ? undefined : blocks;
}

function readBlock(block: JsonRecord): readonly JsonRecord[] {
  const text = stringAt(block, "text");
  if (text !== undefined) return text === "" ? [] : [{ type: "text", text }];
  return block.type === "image_url" ? [{ type: "image_url", image_url: block.image_url }] : [];
}
