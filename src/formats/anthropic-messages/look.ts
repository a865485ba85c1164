import { isRecord } from "../../basics/json.ts";
import { CACHE_MARKS, isTextBlock } from "../blocks.ts";
import type { Trace } from "../trace.ts";

/** A string and one text block are equal, and cache marks are ignored. */
export function lookAtAnthropic(message: unknown, trace: Trace): boolean {
  if (!isRecord(message) || typeof message.role !== "string" || !trace.see(message.role)) return false;
  const { content } = message;
  if (typeof content === "string") return trace.see(1) && seeText(content, trace);
  if (!Array.isArray(content) || !trace.see(content.length)) return false;
  for (let i = 0; i < content.length; i++) if (!seeBlock(content[i], trace)) return false;
  return true;
}

function seeText(text: string, trace: Trace): boolean {
  return trace.see("text") && trace.see(text);
}

function seeBlock(block: unknown, trace: Trace): boolean {
  if (isTextBlock(block)) return seeText(block.text, trace);
  if (!isRecord(block) || !trace.see("block")) return false;
  if (block.type !== "tool_result" || !Array.isArray(block.content))
    return trace.seeFields(block, CACHE_MARKS);
  const { content } = block;
  if (!trace.seeFields(block, RESULT_FIELDS) || !trace.see(content.length)) return false;
  for (let i = 0; i < content.length; i++) {
    const inner: unknown = content[i];
    if (!isRecord(inner) || !trace.seeFields(inner, CACHE_MARKS)) return false;
  }
  return true;
}

const RESULT_FIELDS: readonly string[] = [...CACHE_MARKS, "content"];
