import { isRecord, type JsonRecord } from "../json.ts";
import type { DecodedMessage } from "../transcript/message.ts";
import type { CallPart, Part, ResultPart } from "../transcript/part.ts";
import { sameUsage, sameValue } from "../transcript/same-part.ts";
import { blockIndexOf } from "./blocks.ts";
import { isModelResponse, readClearedText, readSentText, readStatus } from "./opencode-assistant.ts";
import { readModel, readTime, readUsage } from "./opencode-info.ts";
import { isMessage, isReasoningSigned, isServerTool, isSigned, isTool } from "./opencode-parts.ts";

/**
 * Would this message, taken apart, give just these parts? Said without taking it apart, as every request brings the whole
 * history again. `false` also where that takes a closer look: anything but an everyday response of the model.
 */
export function recogniseOpenCode(message: unknown, known: DecodedMessage): boolean {
  if (known.role !== "assistant" || !isMessage(message)) return false;
  const { info, parts } = message;
  if (info.role !== "assistant" || info.error != null) return false;
  if (info.id !== known.id) return false;
  const usage = readUsage(info);
  if (readModel(info) !== known.model || !sameUsage(usage, known.usage)) return false;
  if (readTime(info, parts) !== known.time) return false;
  if (isModelResponse(info, parts, usage) !== (known.parts[0]?.opensStep === true)) return false;
  let pairs = 0;
  for (let i = 0; i < known.parts.length; i++) {
    const part = known.parts[i] as Part;
    if (part.kind === "result") pairs++;
    if (!holdsPart(parts[blockIndexOf(part.slot)], part)) return false;
  }
  return known.parts.length - pairs === parts.length;
}

function holdsPart(raw: unknown, part: Part): boolean {
  if (!isRecord(raw)) return false;
  switch (part.kind) {
    case "marker":
      return raw.type === part.name;
    case "text":
      return raw.type === "text" && raw.text === part.leaves[0]?.text && isSynthetic(raw) === part.synthetic;
    case "reasoning":
      return (
        raw.type === "reasoning" &&
        raw.text === part.leaves[0]?.text &&
        isReasoningSigned(raw) === part.signed
      );
    case "call":
      return holdsCall(raw, part);
    case "result":
      return holdsResult(raw, part);
    default:
      return false;
  }
}

function holdsCall(raw: JsonRecord, part: CallPart): boolean {
  return (
    isTool(raw) &&
    raw.callID === part.callId &&
    raw.tool === part.tool &&
    !isServerTool(raw) &&
    isSigned(raw) === (part.signed === true) &&
    sameValue(raw.state.input, part.input)
  );
}

function holdsResult(raw: JsonRecord, part: ResultPart): boolean {
  if (!isTool(raw)) return false;
  const { state } = raw;
  const exit = isRecord(state.metadata) ? state.metadata.exit : undefined;
  return (
    readStatus(state) === part.status &&
    state.attachments === undefined &&
    part.media === undefined &&
    (typeof exit === "number" ? exit : undefined) === part.exitCode &&
    readSentText(state) === part.leaves[0]?.text &&
    readClearedText(state) === part.clearedText?.text
  );
}

function isSynthetic(raw: JsonRecord): true | undefined {
  return raw.synthetic === true ? true : undefined;
}
