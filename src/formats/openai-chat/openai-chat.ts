import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { DecodedMessage } from "../../transcript/message.ts";
import type { CallPart, Leaf, Media, Part, ResultPart, Role } from "../../transcript/part.ts";
import { readArguments } from "../arguments.ts";
import { decodeOpaque, isTextBlock, type Mutable, openStep, scoreMessages, withoutMark } from "../blocks.ts";
import type { Format } from "../format.ts";
import { collectLeaves } from "../json-leaves.ts";
import { appendMessage } from "../note.ts";
import {
  isReasoningSigned,
  REASONING_LISTS,
  REASONING_TEXTS,
  readCall,
  readFile,
  readReasoningKey,
  SIGNED_REASONING,
} from "./blocks.ts";
import { lookAtOpenAiChat } from "./look.ts";
import { rewriteOpenAiChat } from "./rewrite.ts";
import { validateOpenAiChat } from "./rules.ts";

/**
 * Chat Completions, also in the variants of DeepSeek, Kimi, OpenRouter, LiteLLM and Gemini.
 *
 * Slots: `content` (a string), `0` (a content block), `tool_calls/0`, or the name of another field.
 */
export const openAiChat: Format = {
  name: "openai-chat",
  detect: detectOpenAiChat,
  decode: decodeOpenAiChat,
  look: lookAtOpenAiChat,
  rewrite: rewriteOpenAiChat,
  placeNote: (messages, text) => appendMessage(messages, { role: "user", content: text }),
  validate: validateOpenAiChat,
};

function decodeOpenAiChat(message: unknown): DecodedMessage {
  if (!isRecord(message) || typeof message.role !== "string") return decodeOpaque(message, "custom");
  if (message.role === "tool") return decodeToolMessage(message);
  if (message.role === "function") return decodeOpaque(message, "tool");
  const role = readRole(message.role);
  const parts: Part[] = [];
  if (role !== "assistant") {
    addContent(parts, message.content, role);
    return role === "custom" ? { role, customType: message.role, parts } : { role, parts };
  }
  addReasoning(parts, message);
  addContent(parts, message.content, role);
  if (typeof message.refusal === "string") parts.push(makeText("refusal", message.refusal, role));
  if (Array.isArray(message.tool_calls)) {
    for (let index = 0; index < message.tool_calls.length; index++) {
      parts.push(decodeCall(message.tool_calls[index], `tool_calls/${index}`));
    }
  }
  for (const field of ["function_call", "audio"]) {
    if (message[field] != null)
      parts.push({ kind: "opaque", slot: field, role, leaves: [], raw: message[field] });
  }
  openStep(parts);
  return { role, parts };
}

function readRole(role: string): Role {
  switch (role) {
    case "system":
    case "developer":
    case "user":
    case "assistant":
      return role;
    default:
      return "custom";
  }
}

function decodeToolMessage(message: JsonRecord): DecodedMessage {
  if (typeof message.tool_call_id !== "string") return decodeOpaque(message, "tool");
  const { content } = message;
  const leaves: Leaf[] = [];
  const media: Media[] = [];
  if (typeof content === "string") leaves.push({ id: "output", text: content });
  if (Array.isArray(content)) {
    for (let index = 0; index < content.length; index++) {
      const block: unknown = content[index];
      if (isTextBlock(block)) leaves.push({ id: `content/${index}`, text: block.text });
      const file = readFile(block);
      if (file) media.push(file.media);
    }
  }
  const part: Mutable<ResultPart> = {
    kind: "result",
    slot: "content",
    role: "tool",
    leaves,
    callId: message.tool_call_id,
    status: "ok",
  };
  if (media.length > 0) part.media = media;
  return { role: "tool", parts: [part] };
}

function addReasoning(parts: Part[], message: JsonRecord): void {
  const role = "assistant";
  const lists = REASONING_LISTS.filter((field) => Array.isArray(message[field]));
  if (isReasoningSigned(message)) {
    const leaves = lists.flatMap((field) => readReasoningList(message[field], `${field}/`));
    parts.push({ kind: "reasoning", slot: SIGNED_REASONING, role, leaves, signed: true });
    return;
  }
  for (const field of REASONING_TEXTS) {
    const text = message[field];
    if (typeof text !== "string") continue;
    parts.push({ kind: "reasoning", slot: field, role, leaves: [{ id: "text", text }], signed: false });
  }
  for (const field of lists) {
    const leaves = readReasoningList(message[field], "content/");
    parts.push({ kind: "reasoning", slot: field, role, leaves, signed: false });
  }
}

function readReasoningList(list: unknown, prefix: string): readonly Leaf[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((block: unknown, index) => {
    const key = isRecord(block) && readReasoningKey(block);
    const text = key && block[key];
    return typeof text === "string" ? [{ id: `${prefix}${index}`, text }] : [];
  });
}

function addContent(parts: Part[], content: unknown, role: Role): void {
  if (typeof content === "string") {
    parts.push(makeText("content", content, role));
  } else if (Array.isArray(content)) {
    for (let index = 0; index < content.length; index++) {
      parts.push(decodeBlock(content[index], String(index), role));
    }
  } else if (content != null) {
    parts.push({ kind: "opaque", slot: "content", role, leaves: [], raw: content });
  }
}

function decodeBlock(block: unknown, slot: string, role: Role): Part {
  if (isTextBlock(block)) return makeText(slot, block.text, role);
  if (isRecord(block) && block.type === "refusal" && typeof block.refusal === "string") {
    return makeText(slot, block.refusal, role);
  }
  const file = readFile(block);
  if (file) return { kind: "file", slot, role, leaves: [{ id: "data", text: file.data }], media: file.media };
  return { kind: "opaque", slot, role, leaves: [], raw: withoutMark(block) };
}

function decodeCall(block: unknown, slot: string): Part {
  const role = "assistant";
  const call = readCall(block);
  if (call === undefined) return { kind: "opaque", slot, role, leaves: [], raw: block };
  const { id: callId, name: tool, value, signed } = call;
  const isText = call.field === "arguments" && typeof value === "string";
  const { input, leaves } = isText
    ? readArguments(value)
    : { input: value, leaves: collectLeaves(value, "input") };
  const part: Mutable<CallPart> = { kind: "call", slot, role, leaves, callId, tool, input };
  if (signed) part.signed = true;
  return part;
}

function makeText(slot: string, text: string, role: Role): Part {
  return { kind: "text", slot, role, leaves: [{ id: "text", text }] };
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool", "function"]);
const BLOCKS: ReadonlySet<unknown> = new Set(["text", "image_url", "input_audio", "file", "refusal"]);
const OWN_FIELDS = ["tool_calls", "tool_call_id", "function_call", ...REASONING_TEXTS, ...REASONING_LISTS];

function detectOpenAiChat(messages: readonly unknown[]): number {
  return scoreMessages(messages, judgeMessage, 0.5);
}

function judgeMessage(message: unknown): "own" | "plain" | "foreign" {
  if (!isRecord(message) || !ROLES.has(message.role)) return "foreign";
  const { content, role } = message;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  if (!blocks.every((block) => isRecord(block) && BLOCKS.has(block.type))) return "foreign";
  if (OWN_FIELDS.some((field) => message[field] != null) || !blocks.every(isTextBlock)) return "own";
  if (role === "developer" || role === "tool" || role === "function") return "own";
  return typeof content === "string" || Array.isArray(content) ? "plain" : "foreign";
}
