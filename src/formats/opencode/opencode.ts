import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { DecodedMessage } from "../../transcript/message.ts";
import type { MarkerPart, Part, Role, TextPart } from "../../transcript/part.ts";
import { parseCommand } from "../../transcript/session-command.ts";
import { decodeOpaque, type Mutable, scoreMessages } from "../blocks.ts";
import type { Format, PlacedNote } from "../format.ts";
import { describeMedia } from "../media.ts";
import { appendMessage } from "../note.ts";
import { decodeAssistantParts } from "./assistant.ts";
import { readModel, readTime, readUsage } from "./info.ts";
import { lookAtOpenCode } from "./look.ts";
import { decodeOther, isMessage, isSentByUser } from "./parts.ts";
import { rewriteOpenCode } from "./rewrite.ts";
import { validateOpenCode } from "./rules.ts";

/**
 * OpenCode's `{ info, parts }`, from its message hook and its export. Slots: the index of a part; a tool part has
 * two, `3#call` and `3#result`.
 *
 * Only text that OpenCode really sends becomes leaves.
 */
export const openCode: Format = {
  name: "opencode",
  detect: (messages) => scoreMessages(messages, (message) => (isMessage(message) ? "own" : "foreign"), 0),
  decode: decodeOpenCode,
  look: lookAtOpenCode,
  rewrite: rewriteOpenCode,
  placeNote: placeOpenCodeNote,
  validate: validateOpenCode,
};

function decodeOpenCode(message: unknown): DecodedMessage {
  if (!isMessage(message)) return decodeOpaque(message, "custom");
  const { info, parts } = message;
  const role = info.role === "assistant" || info.role === "user" ? info.role : "custom";
  const usage = readUsage(info);
  const decoded: Mutable<DecodedMessage> = {
    role,
    parts:
      role === "assistant"
        ? decodeAssistantParts(info, parts, usage)
        : parts.map((part, index) => decodeUserPart(part, String(index), role)),
  };
  const time = readTime(info, parts);
  const model = readModel(info);
  if (role === "custom" && typeof info.role === "string") decoded.customType = info.role;
  if (typeof info.id === "string") decoded.id = info.id;
  if (time !== undefined) decoded.time = time;
  if (usage !== undefined) decoded.usage = usage;
  if (model !== undefined) decoded.model = model;
  if (role === "user" && parts.some((part) => isRecord(part) && part.type === "compaction"))
    decoded.isCompaction = true;
  return decoded;
}

function decodeUserPart(part: unknown, slot: string, role: Role): Part {
  if (!isRecord(part) || (part.type !== "text" && part.type !== "file")) return decodeOther(part, slot, role);
  if (!isSentByUser(part)) return decodeUnsent(part, slot, role);
  const { text, url, mime, filename } = part;
  if (part.type === "text" && typeof text === "string") return decodeUserText(part, text, slot, role);
  if (part.type === "text" || typeof url !== "string") return decodeOther(part, slot, role);
  const media = describeMedia(url, typeof mime === "string" ? mime : "application/octet-stream", filename);
  return { kind: "file", slot, role, leaves: [{ id: "data", text: url }], media };
}

/** An ignored text may contain a person's slash command to Coppice. */
function decodeUnsent(part: JsonRecord, slot: string, role: Role): MarkerPart {
  const command = part.ignored === true ? parseCommand(part.metadata) : undefined;
  const name = typeof part.type === "string" ? part.type : "unknown";
  return { kind: "marker", slot, role, leaves: [], name, ...(command && { command }) };
}

function decodeUserText(part: JsonRecord, text: string, slot: string, role: Role): TextPart {
  const decoded: Mutable<TextPart> = { kind: "text", slot, role, leaves: [{ id: "text", text }] };
  if (part.synthetic !== true) return decoded;
  decoded.synthetic = true;
  // Plan mode puts these on the newest user message at every step, with a new id each time, and stores none.
  if (text.startsWith("<system-reminder>")) decoded.transient = true;
  return decoded;
}

/**
 * Always a separate message, never a part of the user's: OpenCode marks the last two messages for the provider's
 * cache, so the mark on the conversation's last message stays in place. It has the fields of OpenCode's user
 * messages.
 */
function placeOpenCodeNote(messages: readonly unknown[], text: string): PlacedNote<unknown> {
  const newest = messages.findLast((message) => isMessage(message) && message.info.role === "user");
  const { agent, model, sessionID, time } = isMessage(newest) ? newest.info : {};
  const id = "msg_coppice_note";
  const info = { role: "user", time, agent, model, id, sessionID };
  const part = { type: "text", text, synthetic: true, id: "prt_coppice_note", sessionID, messageID: id };
  return appendMessage(messages, { info, parts: [part] });
}
