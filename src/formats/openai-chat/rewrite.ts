import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { EMPTIED } from "../../transcript/part.ts";
import { rewriteArguments } from "../arguments.ts";
import {
  hasChanges,
  isNotEmpty,
  isTextBlock,
  omitField,
  type RewrittenBlock,
  rewriteBlocks,
  setField,
  setText,
  toTextBlock,
  WHOLE_MESSAGE,
} from "../blocks.ts";
import type { MessageChanges } from "../format.ts";
import { replaceLeaves } from "../json-leaves.ts";
import {
  isReasoningSigned,
  REASONING_LISTS,
  REASONING_TEXTS,
  readCall,
  readFile,
  readReasoningKey,
  SIGNED_REASONING,
} from "./blocks.ts";

export function rewriteOpenAiChat(message: unknown, changes: MessageChanges): unknown {
  if (changes.dropped.has(WHOLE_MESSAGE)) return undefined;
  if (!hasChanges(changes) || !isRecord(message)) return message;
  if (message.role === "tool") return rewriteToolMessage(message, changes);
  if (message.role !== "assistant") return rewriteContent(message, changes, false);
  const next = rewriteOthers(rewriteCalls(rewriteReasoning(message, changes), changes), changes);
  const stands = BESIDE_CONTENT.some((field) => next[field] != null);
  return rewriteContent(next, changes, stands);
}

/** With any of these, an assistant message needs no content. */
const BESIDE_CONTENT = ["tool_calls", "refusal", "function_call", "audio"];

function rewriteToolMessage(message: JsonRecord, changes: MessageChanges): unknown {
  if (changes.dropped.has("content")) return undefined;
  const { content } = message;
  const texts = changes.leaves.get("content");
  if (texts === undefined) return message;
  if (typeof content === "string") return setText(message, "content", texts.get("output")).block;
  if (!Array.isArray(content)) return message;
  const rewrite = (block: unknown, index: number): RewrittenBlock =>
    isTextBlock(block) ? setText(block, "text", texts.get(`content/${index}`)) : { block };
  return setField(message, "content", rewriteBlocks(content, rewrite, isNotEmpty));
}

/**
 * Signed reasoning is dropped as a whole or stays. Other reasoning is never removed completely: some providers
 * require the field.
 */
function rewriteReasoning(message: JsonRecord, changes: MessageChanges): JsonRecord {
  const fields = [...REASONING_TEXTS, ...REASONING_LISTS];
  if (isReasoningSigned(message)) {
    return changes.dropped.has(SIGNED_REASONING) ? fields.reduce(omitField, message) : message;
  }
  return fields.reduce((next, field) => {
    if (changes.dropped.has(field)) return omitField(next, field);
    const texts = changes.leaves.get(field);
    const value = message[field];
    if (texts === undefined) return next;
    if (typeof value === "string") return setText(next, field, texts.get("text")).block;
    return Array.isArray(value) ? setField(next, field, rewriteReasoningList(value, texts)) : next;
  }, message);
}

function rewriteReasoningList(
  list: readonly unknown[],
  texts: ReadonlyMap<string, string>,
): readonly unknown[] {
  const rewrite = (block: unknown, index: number): RewrittenBlock => {
    const key = isRecord(block) && readReasoningKey(block);
    return key ? setText(block, key, texts.get(`content/${index}`)) : { block };
  };
  return rewriteBlocks(list, rewrite, isNotEmpty);
}

function rewriteCalls(message: JsonRecord, changes: MessageChanges): JsonRecord {
  const calls = message.tool_calls;
  if (!Array.isArray(calls)) return message;
  const rewrite = (block: unknown, index: number): RewrittenBlock | undefined => {
    const slot = `tool_calls/${index}`;
    if (changes.dropped.has(slot)) return undefined;
    const texts = changes.leaves.get(slot);
    return { block: texts ? rewriteCall(block, texts) : block };
  };
  const next = rewriteBlocks(calls, rewrite, isNotEmpty);
  // Providers refuse an empty list of calls.
  return next.length === 0 && calls.length > 0
    ? omitField(message, "tool_calls")
    : setField(message, "tool_calls", next);
}

function rewriteCall(block: unknown, texts: ReadonlyMap<string, string>): unknown {
  const call = readCall(block);
  if (!isRecord(block) || call === undefined || call.signed) return block;
  const body = setField(call.body, call.field, rewriteInput(call.field, call.value, texts));
  return setField(block, call.kind, body);
}

function rewriteInput(field: string, value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (field !== "arguments" || typeof value !== "string") return replaceLeaves(value, "input", texts);
  return rewriteArguments(value, texts);
}

function rewriteOthers(message: JsonRecord, changes: MessageChanges): JsonRecord {
  let next = message;
  for (const field of BESIDE_CONTENT) if (changes.dropped.has(field)) next = omitField(next, field);
  const refusal = changes.leaves.get("refusal")?.get("text");
  if (typeof next.refusal !== "string" || refusal === undefined) return next;
  return refusal === "" ? omitField(next, "refusal") : setField(next, "refusal", refusal);
}

/** @param standsAlone the message needs no content */
function rewriteContent(
  message: JsonRecord,
  changes: MessageChanges,
  standsAlone: boolean,
): JsonRecord | undefined {
  const content = changeContent(message.content, changes, standsAlone);
  const isLeft = standsAlone || changes.dropped.size === 0 || (content != null && content !== "");
  return isLeft ? setField(message, "content", content) : undefined;
}

function changeContent(content: unknown, changes: MessageChanges, standsAlone: boolean): unknown {
  if (changes.dropped.has("content")) return null;
  if (typeof content === "string") {
    const text = changes.leaves.get("content")?.get("text") ?? content;
    if (text !== "" || content === "") return text;
    return standsAlone ? null : EMPTIED;
  }
  if (!Array.isArray(content)) return content;
  const rewrite = (block: unknown, index: number): RewrittenBlock | undefined => {
    const slot = String(index);
    return changes.dropped.has(slot) ? undefined : rewriteBlock(block, changes.leaves.get(slot));
  };
  const next = rewriteBlocks(content, rewrite, (kept) => standsAlone || isNotEmpty(kept));
  return next.length === 0 && content.length > 0 ? null : next;
}

function rewriteBlock(block: unknown, texts: ReadonlyMap<string, string> | undefined): RewrittenBlock {
  if (texts === undefined || !isRecord(block)) return { block };
  if (block.type === "text" || block.type === "refusal") return setText(block, block.type, texts.get("text"));
  const data = texts.get("data");
  const file = readFile(block);
  return file && data !== undefined && data !== file.data ? toTextBlock(block, data) : { block };
}
