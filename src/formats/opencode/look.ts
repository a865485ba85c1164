import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Trace } from "../trace.ts";
import { readClearedText, readSentText, readStatus } from "./assistant.ts";
import { readModel } from "./info.ts";
import {
  isMarker,
  isMessage,
  isReasoningSigned,
  isServerTool,
  isSigned,
  isTool,
  type ToolPart,
} from "./parts.ts";

/**
 * Shows everything that `decode` reads of an ordinary model response. Every request brings the whole history again,
 * and looking is faster than decoding. Returns `false` for any other message.
 */
export function lookAtOpenCode(message: unknown, trace: Trace): boolean {
  if (!isMessage(message)) return false;
  const { info, parts } = message;
  if (info.role !== "assistant" || info.error != null) return false;
  if (!seeInfo(info, trace) || !trace.see(parts.length)) return false;
  for (let i = 0; i < parts.length; i++) if (!seePart(parts[i], trace)) return false;
  return true;
}

function seeInfo(info: JsonRecord, trace: Trace): boolean {
  const time = isRecord(info.time) ? info.time : NONE;
  return (
    trace.see(info.id) &&
    trace.see(info.summary === true) &&
    trace.see(readModel(info)) &&
    trace.see(time.completed) &&
    trace.see(time.created) &&
    seeTokens(info.tokens, trace)
  );
}

const NONE: JsonRecord = {};

function seeTokens(tokens: unknown, trace: Trace): boolean {
  if (!isRecord(tokens)) return trace.see("no tokens");
  const cache = isRecord(tokens.cache) ? tokens.cache : NONE;
  return (
    trace.see(tokens.input) &&
    trace.see(tokens.output) &&
    trace.see(tokens.reasoning) &&
    trace.see(cache.read) &&
    trace.see(cache.write)
  );
}

function seePart(part: unknown, trace: Trace): boolean {
  if (!isRecord(part) || !trace.see(part.type)) return false;
  if (part.type === "tool") return isTool(part) && seeTool(part, trace);
  if (part.state !== undefined) return false;
  if (part.type === "text") return seeText(part.text, trace) && trace.see(part.synthetic === true);
  if (part.type === "reasoning") return seeText(part.text, trace) && trace.see(isReasoningSigned(part));
  return isMarker(part.type) || part.type === "file";
}

function seeText(text: unknown, trace: Trace): boolean {
  return typeof text === "string" && trace.see(text);
}

function seeTool(part: ToolPart, trace: Trace): boolean {
  const { state } = part;
  return (
    !isServerTool(part) &&
    !Array.isArray(state.attachments) &&
    trace.see(part.callID) &&
    trace.see(part.tool) &&
    trace.see(isSigned(part)) &&
    trace.see(readStatus(state)) &&
    trace.see(isRecord(state.time) ? state.time.end : undefined) &&
    trace.see(isRecord(state.metadata) ? state.metadata.exit : undefined) &&
    trace.see(readSentText(state)) &&
    trace.see(readClearedText(state)) &&
    trace.seeAll(state.input)
  );
}
