import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Usage } from "../../transcript/message.ts";
import type { CallPart, Media, Part, ResultPart, ResultStatus, TextPart } from "../../transcript/part.ts";
import type { Mutable } from "../blocks.ts";
import { collectLeaves } from "../json-leaves.ts";
import { describeMedia } from "../media.ts";
import {
  decodeOther,
  findSentText,
  isCleared,
  isReasoningSigned,
  isSent,
  isServerTool,
  isSigned,
  isTool,
  type ToolPart,
} from "./parts.ts";

const role = "assistant";

/** Makes the first names once: they are needed for every message of every request. */
function countingFrom0(name: (index: number) => string): (index: number) => string {
  const names = Array.from({ length: 32 }, (_, index) => name(index));
  return (index) => names[index] ?? name(index);
}

const slotOf = countingFrom0(String);
const callSlotOf = countingFrom0((index) => `${index}#call`);
const resultSlotOf = countingFrom0((index) => `${index}#result`);

/** OpenCode sends a step as its texts, reasoning and calls, in the order of the parts, and then its results. */
export function decodeAssistantParts(
  info: JsonRecord,
  parts: readonly unknown[],
  usage: Usage | undefined,
): readonly Part[] {
  if (!isSent(info, parts)) return parts.map(decodeUnsent);
  const isResponse = isModelResponse(info, parts, usage);
  const decoded: Part[] = [];
  let results: Part[] = [];
  let opens = isResponse;
  let isFinished = false;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (isOfType(part, "step-start")) {
      for (const result of results) decoded.push(result);
      results = [];
      // A second start without a finish in between is another attempt at the same response.
      if (isFinished) opens = isResponse;
      isFinished = false;
    }
    if (isOfType(part, "step-finish")) isFinished = true;
    const isPair = isTool(part);
    const first = isPair ? decodeCall(part, index) : decodePart(info, part, slotOf(index));
    // A field behind the spread would give every such part a hidden class of its own.
    decoded.push(opens ? { opensStep: true, ...first } : first);
    opens = false;
    if (isPair) results.push(decodeResult(part, index));
  }
  for (const result of results) decoded.push(result);
  return decoded;
}

/**
 * Commands of the user and subtasks of the host are in assistant messages too, but have no step-start and no tokens. A
 * compaction's summary came from a separate request.
 */
function isModelResponse(info: JsonRecord, parts: readonly unknown[], usage: Usage | undefined): boolean {
  if (info.summary === true) return false;
  return usage !== undefined || !isRecord(info.tokens) || parts.some((part) => isOfType(part, "step-start"));
}

function isOfType(part: unknown, type: string): part is JsonRecord {
  return isRecord(part) && part.type === type;
}

function decodeUnsent(part: unknown, index: number): Part {
  const name = isRecord(part) && typeof part.type === "string" ? part.type : "unknown";
  return { kind: "marker", slot: String(index), role, leaves: [], name };
}

function decodePart(info: JsonRecord, part: unknown, slot: string): Part {
  if (isOfType(part, "text") && typeof part.text === "string") {
    const decoded: Mutable<TextPart> = {
      kind: "text",
      slot,
      role,
      leaves: [{ id: "text", text: part.text }],
    };
    if (info.summary === true || part.synthetic === true) decoded.synthetic = true;
    return decoded;
  }
  if (isOfType(part, "reasoning") && typeof part.text === "string") {
    const signed = isReasoningSigned(part);
    return { kind: "reasoning", slot, role, leaves: [{ id: "text", text: part.text }], signed };
  }
  // OpenCode sends only users' files.
  if (isOfType(part, "file")) return { kind: "marker", slot, role, leaves: [], name: "file" };
  return decodeOther(part, slot, role);
}

function decodeCall(part: ToolPart, index: number): CallPart {
  const { callID: callId, tool, state } = part;
  const server = isServerTool(part);
  const leaves = server ? [] : collectLeaves(state.input, "input");
  const slot = callSlotOf(index);
  const call: Mutable<CallPart> = { kind: "call", slot, role, leaves, callId, tool, input: state.input };
  if (isSigned(part)) call.signed = true;
  if (server) call.server = true;
  return call;
}

function decodeResult(part: ToolPart, index: number): Part {
  const { callID: callId, state } = part;
  const slot = resultSlotOf(index);
  const text = readSentText(state);
  if (isServerTool(part)) return { kind: "opaque", slot, role, leaves: [], raw: text };
  const leaves = text === undefined ? [] : [{ id: "output", text }];
  const result: Mutable<ResultPart> = {
    kind: "result",
    slot,
    role,
    leaves,
    callId,
    status: readStatus(state),
  };
  const cleared = readClearedText(state);
  if (cleared !== undefined) result.clearedText = { id: "output", text: cleared };
  if (isRecord(state.metadata) && typeof state.metadata.exit === "number")
    result.exitCode = state.metadata.exit;
  if (Array.isArray(state.attachments) && !isCleared(state))
    result.media = state.attachments.flatMap(readMedia);
  return result;
}

export function readSentText(state: JsonRecord): string | undefined {
  const field = findSentText(state);
  if (field === undefined) return undefined;
  const text = field === "metadata" && isRecord(state.metadata) ? state.metadata.output : state[field];
  return typeof text === "string" ? text : undefined;
}

export function readClearedText(state: JsonRecord): string | undefined {
  return isCleared(state) && typeof state.output === "string" ? state.output : undefined;
}

export function readStatus(state: JsonRecord): ResultStatus {
  if (state.status === "completed") return isCleared(state) ? "cleared" : "ok";
  return state.status === "error" ? "error" : "pending";
}

function readMedia(file: unknown): readonly Media[] {
  if (!isRecord(file) || typeof file.url !== "string" || typeof file.mime !== "string") return [];
  return [describeMedia(file.url, file.mime, file.filename)];
}
