import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { DecodedMessage } from "../../transcript/message.ts";
import type { CallPart, Leaf, Media, Part, ReasoningPart, ResultPart, Role } from "../../transcript/part.ts";
import { decodeOpaque, type Mutable, openStep, scoreMessages, withoutMark } from "../blocks.ts";
import type { Format } from "../format.ts";
import { collectLeaves } from "../json-leaves.ts";
import { toCount, toUsage } from "../usage.ts";
import { isReasoningSigned, isText, readDoubledCall, readFile, readReasoningField } from "./blocks.ts";
import { lookAtLangChain } from "./look.ts";
import {
  type BaseMessage,
  indexCalls,
  isBaseMessage,
  isCallSigned,
  isOwn,
  isToolCall,
  listCalls,
  REASONING_ITEM,
  REASONING_TEXT,
  readReasoningItem,
  recordAt,
  roleOf,
  typeOf,
} from "./message.ts";
import { placeLangChainNote } from "./note.ts";
import { rewriteLangChain } from "./rewrite.ts";
import { validateLangChain } from "./rules.ts";

/**
 * LangChain's `BaseMessage`s. Slots: `content` (a string, or all of a result), the index of a content block,
 * `tool_calls/0`, or the name of a field of `additional_kwargs`. A block that repeats one of the `tool_calls` has
 * no slot: it changes and is removed with the call.
 */
export const langChain: Format = {
  name: "langchain",
  detect: (messages) => scoreMessages(messages, (message) => (isOwn(message) ? "own" : "foreign"), 0),
  decode: decodeLangChain,
  look: lookAtLangChain,
  rewrite: rewriteLangChain,
  placeNote: placeLangChainNote,
  validate: validateLangChain,
};

function decodeLangChain(message: unknown): DecodedMessage {
  if (!isBaseMessage(message)) return decodeOpaque(message, "custom");
  const role = roleOf(message);
  const type = typeOf(message);
  if (type === "remove")
    return { role, parts: [{ kind: "marker", slot: "", role, leaves: [], name: "remove" }] };
  const decoded: Mutable<DecodedMessage> = { role, parts: decodeParts(message, role) };
  if (role === "custom") decoded.customType = String(message.role ?? type);
  if (typeof message.id === "string") decoded.id = message.id;
  if (role !== "assistant") return decoded;
  openStep(decoded.parts);
  const usage = isRecord(message.usage_metadata) ? readUsage(message.usage_metadata) : undefined;
  if (usage) decoded.usage = usage;
  const metadata = recordAt(message, "response_metadata");
  const model = metadata.model_name ?? metadata.model;
  if (typeof model === "string") decoded.model = model;
  return decoded;
}

/** LangChain's `input_tokens` include cached ones. */
function readUsage({ input_tokens, output_tokens, input_token_details }: JsonRecord) {
  const details = isRecord(input_token_details) ? input_token_details : {};
  const cacheRead = toCount(details.cache_read);
  const cacheWrite = toCount(details.cache_creation);
  const input = toCount(toCount(input_tokens) - cacheRead - cacheWrite);
  return toUsage({ input, cacheRead, cacheWrite, output: output_tokens });
}

function decodeParts(message: BaseMessage, role: Role): readonly Part[] {
  const { content } = message;
  if (role === "tool") return [decodeResult(message) ?? decodeWhole(message, role)];
  const parts: Part[] = role === "assistant" ? decodeReasoningKwargs(message) : [];
  if (typeof content === "string") {
    // A response with only calls has an empty content.
    if (content !== "" || role !== "assistant" || listCalls(message).length === 0)
      parts.push({ kind: "text", slot: "content", role, leaves: [{ id: "text", text: content }] });
  } else if (Array.isArray(content)) {
    const calls = indexCalls(message);
    for (let index = 0; index < content.length; index++) {
      const block: unknown = content[index];
      if (!readDoubledCall(block, calls)) parts.push(decodeBlock(block, String(index), role));
    }
  } else {
    return [decodeWhole(message, role)];
  }
  if (role === "assistant") {
    const calls = listCalls(message);
    for (let index = 0; index < calls.length; index++)
      parts.push(decodeCall(calls[index], `tool_calls/${index}`, message));
  }
  return isBoundById(message)
    ? parts.map((part) => (part.kind === "text" ? { ...part, unit: true } : part))
    : parts;
}

function decodeWhole(message: BaseMessage, role: Role): Part {
  return { kind: "opaque", slot: "", role, leaves: [], raw: message.content };
}

/** OpenAI requires a message with an id to stay with the reasoning before it. */
function isBoundById(message: BaseMessage): boolean {
  return (
    readReasoningItem(message)?.id != null && typeof message.id === "string" && message.id.startsWith("msg_")
  );
}

function decodeReasoningKwargs(message: BaseMessage): Part[] {
  const role = "assistant";
  const parts: ReasoningPart[] = [];
  const item = readReasoningItem(message);
  if (item) {
    const summary: readonly unknown[] = Array.isArray(item.summary) ? item.summary : [];
    const leaves = Array.from(summary, (block, index): Leaf | undefined =>
      isRecord(block) && typeof block.text === "string"
        ? { id: `summary/${index}`, text: block.text }
        : undefined,
    ).filter((leaf) => leaf !== undefined);
    parts.push({ kind: "reasoning", slot: REASONING_ITEM, role, leaves, signed: true, unit: true });
  }
  const text = recordAt(message, "additional_kwargs")[REASONING_TEXT];
  if (typeof text === "string" && text !== "")
    parts.push({
      kind: "reasoning",
      slot: REASONING_TEXT,
      role,
      leaves: [{ id: "text", text }],
      signed: false,
    });
  return parts;
}

function decodeBlock(block: unknown, slot: string, role: Role): Part {
  if (isText(block)) return { kind: "text", slot, role, leaves: [{ id: "text", text: block.text }] };
  const field = readReasoningField(block);
  if (field && isRecord(block)) {
    const leaves = [{ id: "text", text: String(block[field]) }];
    return { kind: "reasoning", slot, role, leaves, signed: isReasoningSigned(block) };
  }
  if (isRecord(block) && block.type === "redacted_thinking")
    return { kind: "reasoning", slot, role, leaves: [], signed: true };
  const file = readFile(block);
  if (!file) return { kind: "opaque", slot, role, leaves: [], raw: withoutMark(block) };
  const leaves = file.data === undefined ? [] : [{ id: "data", text: file.data }];
  return { kind: "file", slot, role, leaves, media: file.media };
}

function decodeCall(call: unknown, slot: string, message: BaseMessage): Part {
  const role = "assistant";
  if (!isToolCall(call)) return { kind: "opaque", slot, role, leaves: [], raw: call };
  const input = call.args ?? {};
  const leaves = collectLeaves(input, "input");
  const part: Mutable<CallPart> = {
    kind: "call",
    slot,
    role,
    leaves,
    callId: call.id,
    tool: call.name,
    input,
  };
  if (isCallSigned(message, call)) part.signed = true;
  return part;
}

function decodeResult(message: BaseMessage): ResultPart | undefined {
  const { content, tool_call_id: callId } = message;
  if (typeof callId !== "string") return undefined;
  const leaves: Leaf[] = [];
  const media: Media[] = [];
  if (typeof content === "string") leaves.push({ id: "output", text: content });
  for (const [index, block] of (Array.isArray(content) ? content : []).entries()) {
    const file = readFile(block);
    if (isText(block)) leaves.push({ id: `content/${index}`, text: block.text });
    else if (file) media.push(file.media);
  }
  const status = message.status === "error" ? "error" : "ok";
  const part: Mutable<ResultPart> = { kind: "result", slot: "content", role: "tool", leaves, callId, status };
  if (media.length > 0) part.media = media;
  return part;
}
