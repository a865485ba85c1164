import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { clearResult } from "../../transcript/clear-result.ts";
import type { DecodedMessage } from "../../transcript/message.ts";
import type { CallPart, Leaf, Media, Part, ReasoningPart, ResultPart, Role } from "../../transcript/part.ts";
import { decodeOpaque, isTextBlock, type Mutable, openStep, scoreMessages } from "../blocks.ts";
import type { Format, PlacedNote } from "../format.ts";
import { collectLeaves } from "../json-leaves.ts";
import { countBase64Bytes } from "../media.ts";
import { appendMessage } from "../note.ts";
import { isTime, toUsage } from "../usage.ts";
import { isImage, isReasoningItem, isSent, isSigned, isThinking, isToolCall, TEXT_FIELDS } from "./blocks.ts";
import { readPiCommand } from "./command.ts";
import { isEntry, readEntry } from "./entry.ts";
import { rewritePi } from "./rewrite.ts";
import { validatePi } from "./rules.ts";

/**
 * The messages of pi's `context` event: those of the user's current branch; or the entries of a session that
 * contain these messages. Slots: `content` (a string, or all of a result), the index of a block, or `text` (a
 * message of pi's own).
 */
export const pi: Format = {
  name: "pi",
  detect: (messages) => scoreMessages(messages, judgeMessage, 0.6),
  decode: decodePi,
  look: (message, trace) => isRecord(message) && trace.seeAll(message),
  rewrite: rewritePi,
  placeNote: placePiNote,
  validate: validatePi,
};

function decodePi(raw: unknown): DecodedMessage {
  if (!isEntry(raw)) return decodeMessage(raw);
  const message = readEntry(raw);
  const { id, type } = raw;
  const decoded = message ? decodeMessage(message) : makeMarker(String(type));
  return typeof id === "string" ? { ...decoded, id } : decoded;
}

/** An entry that no model sees: it has a place, but no text. */
function makeMarker(name: string): DecodedMessage {
  return { role: "custom", parts: [{ kind: "marker", slot: "content", role: "custom", leaves: [], name }] };
}

function decodeMessage(message: unknown): DecodedMessage {
  if (!isRecord(message) || typeof message.role !== "string") return decodeOpaque(message, "custom");
  const role = readRole(message.role);
  const parts = decodeParts(message, role);
  const decoded: Mutable<DecodedMessage> = { role, parts };
  if (role === "custom")
    decoded.customType = typeof message.customType === "string" ? message.customType : message.role;
  if (isTime(message.timestamp)) decoded.time = message.timestamp;
  if (message.role === "compactionSummary") decoded.isCompaction = true;
  if (role !== "assistant" || !isSent(message)) return decoded;
  const usage = isRecord(message.usage) ? toUsage(readFigures(message.usage)) : undefined;
  if (usage) decoded.usage = usage;
  if (typeof message.model === "string") decoded.model = message.model;
  openStep(parts);
  return decoded;
}

function readFigures({ input, cacheRead, cacheWrite, output }: JsonRecord): Parameters<typeof toUsage>[0] {
  return { input, cacheRead, cacheWrite, output };
}

function readRole(role: string): Role {
  if (role === "toolResult") return "tool";
  return role === "user" || role === "assistant" || role === "system" ? role : "custom";
}

function decodeParts(message: JsonRecord, role: Role): readonly Part[] {
  const { content } = message;
  const command = readPiCommand(message);
  if (command) return [{ kind: "marker", slot: "content", role, leaves: [], name: "command", command }];
  // pi's prompt and tools, in named sections, or changes to them: not part of the conversation, but of the text
  // before it.
  if (role === "system" && isRecord(message.sections))
    return [{ kind: "marker", slot: "content", role, leaves: [], name: "prompt" }];
  if (role === "tool") {
    const result = decodeResult(message);
    if (result) return [result];
  } else if (TEXT_FIELDS.has(message.role)) {
    const text = decodeOwnText(message, role);
    if (text) return [text];
  } else if (typeof content === "string") {
    return [{ kind: "text", slot: "content", role, leaves: [{ id: "text", text: content }] }];
  } else if (Array.isArray(content)) {
    return Array.from(content, (block: unknown, index) => decodeBlock(block, String(index), message, role));
  }
  return decodeOpaque(message, role).parts;
}

/** A user's command, the summary of an abandoned branch, or pi's own compaction: pi adds its own words around it. */
function decodeOwnText(message: JsonRecord, role: Role): Part | undefined {
  const leaves = (TEXT_FIELDS.get(message.role) ?? []).flatMap((id): Leaf[] => {
    const text = message[id];
    return typeof text === "string" ? [{ id, text }] : [];
  });
  if (!isSent(message)) return { kind: "marker", slot: "text", role, leaves: [], name: String(message.role) };
  return leaves.length > 0 ? { kind: "text", slot: "text", role, leaves, synthetic: true } : undefined;
}

function decodeResult(message: JsonRecord): ResultPart | undefined {
  const { toolCallId: callId, content } = message;
  if (typeof callId !== "string") return undefined;
  const leaves: Leaf[] = [];
  const media: Media[] = [];
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  for (const [index, block] of blocks.entries()) {
    if (isTextBlock(block)) leaves.push({ id: `content/${index}`, text: block.text });
    if (isImage(block)) media.push(describeImage(block));
  }
  const status = message.isError === true ? "error" : "ok";
  const part: Mutable<ResultPart> = { kind: "result", slot: "content", role: "tool", leaves, callId, status };
  if (media.length > 0) part.media = media;
  // An unreadable result still answers its call: they are dropped together.
  if (!Array.isArray(content)) part.value = content ?? null;
  return typeof message.prunedAt === "number" ? clearResult(part) : part;
}

function decodeBlock(block: unknown, slot: string, message: JsonRecord, role: Role): Part {
  if (!isSent(message)) {
    const name = isRecord(block) && typeof block.type === "string" ? block.type : "unknown";
    return { kind: "marker", slot, role, leaves: [], name };
  }
  if (isTextBlock(block)) return { kind: "text", slot, role, leaves: [{ id: "text", text: block.text }] };
  if (isThinking(block)) {
    const leaves = block.redacted === true ? [] : [{ id: "text", text: block.thinking }];
    const signed = isSigned(block, message);
    const part: Mutable<ReasoningPart> = { kind: "reasoning", slot, role, leaves, signed };
    if (isReasoningItem(block)) part.unit = true;
    return part;
  }
  if (isToolCall(block)) {
    const { id: callId, name: tool, arguments: input } = block;
    const leaves = collectLeaves(input, "input");
    const call: Mutable<CallPart> = { kind: "call", slot, role, leaves, callId, tool, input };
    if (block.thoughtSignature != null) call.signed = true;
    return call;
  }
  if (isImage(block))
    return {
      kind: "file",
      slot,
      role,
      leaves: [{ id: "data", text: block.data }],
      media: describeImage(block),
    };
  return { kind: "opaque", slot, role, leaves: [], raw: block };
}

function describeImage({ data, mimeType }: { readonly data: string; readonly mimeType: string }): Media {
  return { mime: mimeType, bytes: countBase64Bytes(data, 0) };
}

/** The note gets the time of the newest message, because a request must not depend on a clock. */
function placePiNote(messages: readonly unknown[], text: string): PlacedNote<unknown> {
  const timestamp = timestampOf(messages.findLast((message) => timestampOf(message) !== undefined)) ?? 0;
  const note = { role: "user", content: [{ type: "text", text }], timestamp };
  return appendMessage(messages, messages.some(isEntry) ? { type: "message", message: note } : note);
}

function timestampOf(raw: unknown): number | undefined {
  const message = isEntry(raw) ? readEntry(raw) : raw;
  return isRecord(message) && isTime(message.timestamp) ? message.timestamp : undefined;
}

const OWN_ROLES: ReadonlySet<unknown> = new Set([...TEXT_FIELDS.keys(), "toolResult"]);

function judgeMessage(message: unknown): "own" | "plain" | "foreign" {
  if (isEntry(message)) return "own";
  if (!isRecord(message)) return "foreign";
  const { role, content } = message;
  const isDated = typeof message.timestamp === "number";
  if (OWN_ROLES.has(role)) return "own";
  if (role === "custom" && typeof message.customType === "string") return "own";
  if (role === "system" && isRecord(message.sections)) return "own";
  if (role !== "user" && role !== "assistant" && role !== "system") return "foreign";
  if (Array.isArray(content) && content.some((block) => isOwnBlock(block, isDated))) return "own";
  const isPlain = typeof content === "string" || (Array.isArray(content) && content.every(isTextBlock));
  return isPlain && isDated ? "plain" : "foreign";
}

/** Anthropic's thinking blocks differ only in the name of the signature's field, and may have no signature. */
function isOwnBlock(block: unknown, isDated: boolean): boolean {
  if (isThinking(block)) return block.thinkingSignature != null || (isDated && block.signature == null);
  return isToolCall(block) || isImage(block);
}
