import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { CACHE_MARKS } from "../blocks.ts";
import type { Trace } from "../trace.ts";
import { REASONING_LISTS, REASONING_TEXTS } from "./blocks.ts";

/** Only the cache mark of a block is not shown: clients of Anthropic's models move it. */
export function lookAtOpenAiChat(message: unknown, trace: Trace): boolean {
  if (!isRecord(message) || typeof message.role !== "string" || message.role === "function") return false;
  if (!trace.see(message.role) || !seeContent(message.content, trace)) return false;
  if (message.role === "tool")
    return typeof message.tool_call_id === "string" && trace.see(message.tool_call_id);
  return message.role !== "assistant" || seeResponse(message, trace);
}

function seeContent(content: unknown, trace: Trace): boolean {
  if (!Array.isArray(content)) return trace.seeAll(content);
  if (!trace.see("blocks") || !trace.see(content.length)) return false;
  for (let i = 0; i < content.length; i++) {
    const block: unknown = content[i];
    if (!isRecord(block) || !trace.seeFields(block, CACHE_MARKS)) return false;
  }
  return true;
}

function seeResponse(message: JsonRecord, trace: Trace): boolean {
  for (const field of FIELDS) if (!trace.seeAll(message[field])) return false;
  return true;
}

const FIELDS = [...REASONING_TEXTS, ...REASONING_LISTS, "refusal", "tool_calls", "function_call", "audio"];
