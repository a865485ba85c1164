import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Part, Role } from "../../transcript/part.ts";
import { isReasoningSignedIn, isSignedIn } from "../ai-sdk/provider-options.ts";

export interface OpenCodeMessage extends JsonRecord {
  readonly info: JsonRecord;
  readonly parts: readonly unknown[];
}

export function isMessage(message: unknown): message is OpenCodeMessage {
  return isRecord(message) && isRecord(message.info) && Array.isArray(message.parts);
}

/** Parts that OpenCode keeps for itself, or sends as a fixed sentence (`compaction`, `subtask`). */
const MARKERS: ReadonlySet<unknown> = new Set([
  "step-start",
  "step-finish",
  "snapshot",
  "patch",
  "agent",
  "retry",
  "subtask",
  "compaction",
]);

export function isMarker(type: unknown): boolean {
  return MARKERS.has(type);
}

/** A tool part is both a call and its result. */
export interface ToolPart extends JsonRecord {
  readonly callID: string;
  readonly tool: string;
  readonly state: JsonRecord;
}

export function isTool(part: unknown): part is ToolPart {
  return (
    isRecord(part) &&
    part.type === "tool" &&
    typeof part.callID === "string" &&
    typeof part.tool === "string" &&
    isRecord(part.state)
  );
}

/** Run by the provider: its output must not be cut. */
export function isServerTool(part: ToolPart): boolean {
  return isRecord(part.metadata) && part.metadata.providerExecuted === true;
}

/** The field with the result's text, as OpenCode sends it. `undefined`: OpenCode sends its own sentence. */
export function findSentText(state: JsonRecord): "output" | "error" | "metadata" | undefined {
  if (state.status === "completed")
    return typeof state.output === "string" && !isCleared(state) ? "output" : undefined;
  if (state.status !== "error") return undefined;
  const { metadata } = state;
  if (isRecord(metadata) && metadata.interrupted === true && typeof metadata.output === "string")
    return "metadata";
  return typeof state.error === "string" ? "error" : undefined;
}

/**
 * Cleared by OpenCode's own pruning: the output is still stored, but OpenCode sends only a short notice and no
 * attachments.
 */
export function isCleared(state: JsonRecord): boolean {
  return isRecord(state.time) && Boolean(state.time.compacted);
}

/**
 * Is any of this message sent? A failed response is not, unless the user stopped it after it had said or called
 * something.
 */
export function isSent(info: JsonRecord, parts: readonly unknown[]): boolean {
  if (info.role !== "assistant" || info.error == null) return true;
  const wasStopped = isRecord(info.error) && info.error.name === "MessageAbortedError";
  return (
    wasStopped &&
    parts.some((part) => isRecord(part) && part.type !== "step-start" && part.type !== "reasoning")
  );
}

/** OpenCode leaves out empty and ignored texts, and files whose content is in another text part. */
export function isSentByUser(part: JsonRecord): boolean {
  if (part.type === "text") return part.ignored !== true && part.text !== "";
  return part.type === "file" && part.mime !== "text/plain" && part.mime !== "application/x-directory";
}

/** A message needs at least one such part to be sent. */
export function isContent(part: unknown): boolean {
  if (!isRecord(part)) return false;
  if (part.type === "text" || part.type === "file") return isSentByUser(part);
  return part.type === "tool" || part.type === "compaction" || part.type === "subtask";
}

export function decodeOther(part: unknown, slot: string, role: Role): Part {
  const type = isRecord(part) ? part.type : undefined;
  return typeof type === "string" && isMarker(type)
    ? { kind: "marker", slot, role, leaves: [], name: type }
    : { kind: "opaque", slot, role, leaves: [], raw: part };
}

/** A part of an unknown kind stays when other parts are dropped. */
export function isUnknown(part: unknown): boolean {
  const type = isRecord(part) ? part.type : undefined;
  return typeof type !== "string" || !(isMarker(type) || KNOWN_TYPES.has(type));
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(["text", "reasoning", "file", "tool"]);

/** Is there a provider's signature in the part's metadata? */
export function isSigned(part: JsonRecord): boolean {
  return isSignedIn(part.metadata);
}

/** `isSigned` for reasoning, which may also be encrypted, or stored by the provider under an id. */
export function isReasoningSigned(part: JsonRecord): boolean {
  return isReasoningSignedIn(part.metadata);
}
