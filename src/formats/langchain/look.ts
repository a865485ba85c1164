import { isRecord } from "../../basics/json.ts";
import { CACHE_MARKS } from "../blocks.ts";
import type { Trace } from "../trace.ts";
import { isBaseMessage, recordAt, typeOf } from "./message.ts";

const FIELDS = ["id", "role", "tool_call_id", "status", "tool_calls", "usage_metadata"] as const;

/** Shows the fields that Coppice reads; the rest of a message belongs to LangChain. */
export function lookAtLangChain(message: unknown, trace: Trace): boolean {
  if (!isBaseMessage(message) || !trace.see(typeOf(message))) return false;
  for (const field of FIELDS) if (!trace.seeAll(message[field])) return false;
  const { model_name, model } = recordAt(message, "response_metadata");
  return (
    trace.see(model_name ?? model) &&
    trace.seeAll(message.additional_kwargs) &&
    seeContent(message.content, trace)
  );
}

function seeContent(content: unknown, trace: Trace): boolean {
  if (!Array.isArray(content)) return trace.see("no list") && trace.seeAll(content);
  if (!trace.see(content.length)) return false;
  for (let i = 0; i < content.length; i++) {
    const block: unknown = content[i];
    if (!isRecord(block) || !trace.seeFields(block, CACHE_MARKS)) return false;
  }
  return true;
}
