import { isRecord } from "../../basics/json.ts";
import { isTextBlock } from "../blocks.ts";
import type { Trace } from "../trace.ts";
import { isCallSigned, isReasoningSigned, isToolCall } from "./parts.ts";

/**
 * Of the provider options, only signatures count: cache marks move from message to message. Bytes are not compared.
 */
export function lookAtAiSdk(message: unknown, trace: Trace): boolean {
  if (!isRecord(message) || typeof message.role !== "string" || !trace.see(message.role)) return false;
  const { content } = message;
  if (typeof content === "string") return trace.see("string") && trace.see(content);
  if (!Array.isArray(content) || !trace.see(content.length)) return false;
  for (let i = 0; i < content.length; i++) if (!seePart(content[i], trace)) return false;
  return true;
}

function seePart(part: unknown, trace: Trace): boolean {
  if (isTextBlock(part)) return trace.see("text") && trace.see(part.text);
  if (isRecord(part) && part.type === "reasoning" && typeof part.text === "string")
    return trace.see("reasoning") && trace.see(part.text) && trace.see(isReasoningSigned(part));
  if (isToolCall(part))
    return trace.see("call") && trace.seeFields(part, OPTIONS) && trace.see(isCallSigned(part));
  return isRecord(part) && trace.see("other") && trace.seeAll(part);
}

const OPTIONS = ["providerOptions", "providerMetadata"];
