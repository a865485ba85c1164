import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { EMPTIED } from "../../transcript/part.ts";
import {
  hasChanges,
  isNotEmpty,
  type Mutable,
  omitField,
  type RewrittenBlock,
  rewriteBlocks,
  setField,
  setText,
  toTextBlock,
} from "../blocks.ts";
import type { MessageChanges } from "../format.ts";
import { replaceLeaves, replaceLeavesInText } from "../json-leaves.ts";
import {
  isReasoning,
  isReasoningSigned,
  isText,
  readDoubledCall,
  readFile,
  readReasoningField,
} from "./blocks.ts";
import {
  type BaseMessage,
  cloneWith,
  indexCalls,
  isBaseMessage,
  isCallSigned,
  isToolCall,
  listCalls,
  REASONING_ITEM,
  REASONING_TEXT,
  roleOf,
} from "./message.ts";

type Texts = ReadonlyMap<string, string>;

export function rewriteLangChain(message: unknown, changes: MessageChanges): unknown {
  if (changes.dropped.has("")) return undefined;
  if (!hasChanges(changes) || !isBaseMessage(message)) return message;
  const role = roleOf(message);
  if (role === "tool") return rewriteResult(message, changes);
  const calls = role === "assistant" ? rewriteCalls(message, changes) : undefined;
  const content = rewriteContent(message, changes, calls?.length ?? 0);
  const fields = changedFields(message, {
    content,
    ...(role === "assistant" && { tool_calls: calls, additional_kwargs: rewriteKwargs(message, changes) }),
  });
  if (fields === undefined) return message;
  const isLeft =
    (content !== "" && (!Array.isArray(content) || isNotEmpty(content))) || (calls?.length ?? 0) > 0;
  if (!isLeft && changes.dropped.size > 0) return undefined;
  return cloneWith(
    message,
    role === "assistant" ? { ...fields, ...rewriteOutput(message, changes) } : fields,
  );
}

/** The fields that differ; `undefined` if none do. */
function changedFields(message: BaseMessage, next: JsonRecord): JsonRecord | undefined {
  const changed: Mutable<JsonRecord> = {};
  for (const [key, value] of Object.entries(next)) if (value !== message[key]) changed[key] = value;
  return Object.keys(changed).length > 0 ? changed : undefined;
}

/**
 * OpenAI's package sends the items of a response again unchanged, whatever has changed in the message. So inputs
 * are changed there too. If that is not possible for all, the items are removed, and the package makes new ones.
 */
function rewriteOutput(message: BaseMessage, changes: MessageChanges): JsonRecord {
  const { response_metadata: metadata } = message;
  if (!isRecord(metadata) || !("output" in metadata)) return {};
  const output = rewriteItems(metadata.output, message, changes);
  return { response_metadata: output ? { ...metadata, output } : omitField(metadata, "output") };
}

function rewriteItems(
  items: unknown,
  message: BaseMessage,
  changes: MessageChanges,
): readonly unknown[] | undefined {
  const changed = new Set(changes.leaves.keys());
  if (!Array.isArray(items) || changes.dropped.size > 0) return undefined;
  const known = indexCalls(message);
  const next = items.map((item: unknown) => {
    const call = readDoubledCall(item, known);
    if (!call || !isRecord(item)) return item;
    changed.delete(`tool_calls/${call.index}`);
    const texts = textsOf(message, call.index, changes);
    return texts ? rewriteInput(item, call.field, texts) : item;
  });
  return changed.size === 0 ? next : undefined;
}

/** The new texts of a call, unless it must stay unchanged. */
function textsOf(message: BaseMessage, index: number, changes: MessageChanges): Texts | undefined {
  const call = listCalls(message)[index];
  return isToolCall(call) && !isCallSigned(message, call)
    ? changes.leaves.get(`tool_calls/${index}`)
    : undefined;
}

function rewriteCalls(message: BaseMessage, changes: MessageChanges): readonly unknown[] | undefined {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return undefined;
  const rewrite = (call: unknown, index: number): RewrittenBlock | undefined => {
    if (changes.dropped.has(`tool_calls/${index}`)) return undefined;
    const texts = textsOf(message, index, changes);
    if (!texts || !isRecord(call)) return { block: call };
    return { block: setField(call, "args", replaceLeaves(call.args, "input", texts)) };
  };
  return rewriteBlocks(calls, rewrite, isNotEmpty);
}

function rewriteContent(message: BaseMessage, changes: MessageChanges, calls: number): unknown {
  const { content } = message;
  if (typeof content === "string") {
    if (changes.dropped.has("content")) return "";
    const text = changes.leaves.get("content")?.get("text");
    return text === "" && content !== "" && calls === 0 ? EMPTIED : (text ?? content);
  }
  if (!Array.isArray(content)) return content;
  const known = indexCalls(message);
  const rewrite = (block: unknown, index: number): RewrittenBlock | undefined => {
    const doubled = readDoubledCall(block, known);
    if (doubled && isRecord(block)) {
      if (changes.dropped.has(`tool_calls/${doubled.index}`)) return undefined;
      const texts = textsOf(message, doubled.index, changes);
      return { block: texts ? rewriteInput(block, doubled.field, texts) : block };
    }
    const slot = String(index);
    if (changes.dropped.has(slot)) return undefined;
    const texts = changes.leaves.get(slot);
    return texts && isRecord(block) ? rewriteBlock(block, texts) : { block };
  };
  const stands = (kept: readonly unknown[]) => calls > 0 || kept.some((block) => !isReasoning(block));
  const next = rewriteBlocks(content, rewrite, stands);
  if (next === content) return content;
  const kept = calls > 0 || changes.dropped.size === 0 ? next : withoutLastReasoning(next);
  // Providers receive an empty list as it is, and refuse it.
  return kept.length === 0 && calls > 0 ? "" : kept;
}

function withoutLastReasoning(blocks: readonly unknown[]): readonly unknown[] {
  return blocks.slice(0, blocks.findLastIndex((block) => !isReasoning(block)) + 1);
}

function rewriteBlock(block: JsonRecord, texts: Texts): RewrittenBlock {
  if (isText(block)) return setText(block, "text", texts.get("text"));
  const field = readReasoningField(block);
  if (field)
    return { block: isReasoningSigned(block) ? block : setText(block, field, texts.get("text")).block };
  const data = texts.get("data");
  const file = readFile(block);
  return file?.data !== undefined && data !== undefined && data !== file.data
    ? toTextBlock(block, data)
    : { block };
}

/** An input is an object, or its JSON. */
function rewriteInput(block: JsonRecord, field: string, texts: Texts): JsonRecord {
  const value = block[field];
  const next =
    typeof value === "string"
      ? replaceLeavesInText(value, "input", texts)
      : replaceLeaves(value, "input", texts);
  return setField(block, field, next);
}

/** Reasoning, and OpenAI's own calls, which repeat `tool_calls`. */
function rewriteKwargs(message: BaseMessage, changes: MessageChanges): unknown {
  const { additional_kwargs: kwargs } = message;
  if (!isRecord(kwargs)) return kwargs;
  let next = kwargs;
  for (const slot of [REASONING_ITEM, REASONING_TEXT])
    if (changes.dropped.has(slot)) next = omitField(next, slot);
  const text = changes.leaves.get(REASONING_TEXT)?.get("text");
  if (typeof next[REASONING_TEXT] === "string") next = setText(next, REASONING_TEXT, text).block;
  if (!Array.isArray(kwargs.tool_calls)) return next;
  const known = indexCalls(message);
  const raw = rewriteBlocks(
    kwargs.tool_calls,
    (call) => rewriteRaw(call, isRecord(call) ? known.get(String(call.id)) : undefined, message, changes),
    isNotEmpty,
  );
  return isNotEmpty(raw) ? setField(next, "tool_calls", raw) : omitField(next, "tool_calls");
}

function rewriteRaw(
  raw: unknown,
  index: number | undefined,
  message: BaseMessage,
  changes: MessageChanges,
): RewrittenBlock | undefined {
  if (index === undefined || !isRecord(raw)) return { block: raw };
  if (changes.dropped.has(`tool_calls/${index}`)) return undefined;
  const texts = textsOf(message, index, changes);
  if (!texts || !isRecord(raw.function)) return { block: raw };
  return { block: setField(raw, "function", rewriteInput(raw.function, "arguments", texts)) };
}

function rewriteResult(message: BaseMessage, changes: MessageChanges): unknown {
  if (changes.dropped.has("content")) return undefined;
  const texts = changes.leaves.get("content");
  const { content } = message;
  if (!texts) return message;
  const rewrite = (block: unknown, index: number): RewrittenBlock =>
    isText(block) ? setText(block, "text", texts.get(`content/${index}`)) : { block };
  const text = texts.get("output");
  const next = Array.isArray(content)
    ? rewriteBlocks(content, rewrite, isNotEmpty)
    : typeof content === "string" && text !== undefined && text !== content
      ? text || EMPTIED
      : content;
  return next === content ? message : cloneWith(message, { content: next });
}
