import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { DecodedMessage } from "../../transcript/message.ts";
import type { CallPart, Media, Part, ResultPart, Role, TextPart } from "../../transcript/part.ts";
import { decodeOpaque, type Mutable, openStep, scoreMessages } from "../blocks.ts";
import type { Format, PlacedNote } from "../format.ts";
import { collectLeaves } from "../json-leaves.ts";
import { appendMessage } from "../note.ts";
import type { Trace } from "../trace.ts";
import {
  findDoubles,
  hasFailed,
  isOwnPart,
  isSigned,
  isText,
  isThought,
  type NamedCall,
  readCall,
  readFile,
  readResponse,
  readResponseTexts,
  readServerCall,
} from "./parts.ts";
import { rewriteGemini } from "./rewrite.ts";
import { validateGemini } from "./rules.ts";

/**
 * The `contents` of Gemini's generateContent, in either spelling of its fields. Slots: the index of a part. Of a response that
 * is said twice the second has no slot of its own: it changes and leaves with the first.
 */
export const gemini: Format = {
  name: "gemini",
  detect: (messages) => scoreMessages(messages, judgeMessage, 0),
  decode: decodeGemini,
  look: lookAtGemini,
  rewrite: rewriteGemini,
  placeNote: placeGeminiNote,
  validate: validateGemini,
};

function decodeGemini(message: unknown): DecodedMessage {
  if (!isRecord(message)) return decodeOpaque(message, "custom");
  const role = readRole(message.role);
  const { parts: rawParts } = message;
  if (!Array.isArray(rawParts) || rawParts.length === 0) return decodeOpaque(message, role);
  const doubles = findDoubles(rawParts);
  const parts: Part[] = [];
  for (let index = 0; index < rawParts.length; index++)
    if (!doubles.has(index)) parts.push(decodePart(rawParts[index], String(index), role));
  if (role === "assistant") openStep(parts);
  return role === "custom" ? { role, customType: String(message.role), parts } : { role, parts };
}

function lookAtGemini(message: unknown, trace: Trace): boolean {
  return isRecord(message) && trace.see(message.role) && trace.seeAll(message.parts);
}

function readRole(role: unknown): Role {
  switch (role) {
    case "model":
      return "assistant";
    case "user":
    case undefined:
      return "user";
    case "function":
      return "tool";
    case "system":
      return "system";
    default:
      return "custom";
  }
}

function decodePart(part: unknown, slot: string, role: Role): Part {
  const known = isRecord(part) ? decodeKnown(part, slot, role) : undefined;
  return known ?? { kind: "opaque", slot, role, leaves: [], raw: part };
}

function decodeKnown(part: JsonRecord, slot: string, role: Role): Part | undefined {
  if (isThought(part))
    return {
      kind: "reasoning",
      slot,
      role,
      leaves: [{ id: "text", text: part.text }],
      signed: isSigned(part),
    };
  const call = readCall(part);
  if (call) return decodeCall(call, isSigned(part), slot, role);
  const response = readResponse(part);
  if (response) return decodeResponse(response.body, response.callId, slot, role);
  const server = readServerCall(part);
  if (server) return decodeServerCall(server.tool, server.body, slot, role);
  if (isText(part)) {
    const text: Mutable<TextPart> = { kind: "text", slot, role, leaves: [{ id: "text", text: part.text }] };
    if (isSigned(part)) text.signed = true;
    return text;
  }
  const file = isSigned(part) ? undefined : readFile(part);
  return file && { kind: "file", slot, role, leaves: [{ id: "data", text: file.data }], media: file.media };
}

function decodeCall({ callId, name, body }: NamedCall, signed: boolean, slot: string, role: Role): CallPart {
  const input = body.args ?? {};
  const leaves = collectLeaves(input, "input");
  const part: Mutable<CallPart> = {
    kind: "call",
    slot,
    role,
    leaves,
    callId,
    tool: name,
    input,
    followsInput: true,
  };
  if (signed) part.signed = true;
  return part;
}

function decodeServerCall(tool: string, body: JsonRecord, slot: string, role: Role): CallPart {
  const callId = typeof body.id === "string" ? body.id : tool;
  return { kind: "call", slot, role, leaves: [], callId, tool, input: body, server: true };
}

function decodeResponse(body: JsonRecord, callId: string, slot: string, role: Role): ResultPart {
  const { leaves, value } = readResponseTexts(body);
  const status = hasFailed(body) ? "error" : "ok";
  const part: Mutable<ResultPart> = { kind: "result", slot, role, leaves, callId, status };
  if (value !== undefined) part.value = value;
  const media = listMedia(body.parts);
  if (media.length > 0) part.media = media;
  return part;
}

function listMedia(parts: unknown): readonly Media[] {
  if (!Array.isArray(parts)) return [];
  return Array.from(parts, readFile).flatMap((file) => (file ? [file.media] : []));
}

/** Behind responses the note is one more part of their message: roles alternate, and responses stay first. */
function placeGeminiNote(messages: readonly unknown[], text: string): PlacedNote<unknown> {
  const last = messages.at(-1);
  if (!isRecord(last) || last.role !== "user" || !Array.isArray(last.parts))
    return appendMessage(messages, { role: "user", parts: [{ text }] });
  const parts = [...last.parts, { text }];
  return { messages: [...messages.slice(0, -1), { ...last, parts }], added: "block" };
}

const ROLES: ReadonlySet<unknown> = new Set(["user", "model", "function", undefined]);

function judgeMessage(message: unknown): "own" | "foreign" {
  if (!isRecord(message) || !ROLES.has(message.role) || message.info !== undefined) return "foreign";
  return Array.isArray(message.parts) && message.parts.some(isOwnPart) ? "own" : "foreign";
}
