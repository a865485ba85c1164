import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { CallPart, OpaquePart, Part, ResultPart, Role } from "../../transcript/part.ts";
import { isTextBlock, type Mutable, scoreMessages } from "../blocks.ts";
import { decodeContent } from "../content.ts";
import type { Format } from "../format.ts";
import { collectLeaves } from "../json-leaves.ts";
import { appendMessage } from "../note.ts";
import { readFile } from "./files.ts";
import { lookAtAiSdk } from "./look.ts";
import {
  hasCacheMark,
  isApproval,
  isCallSigned,
  isReasoningSigned,
  isToolCall,
  isToolResult,
  readOutput,
} from "./parts.ts";
import { rewriteAiSdk } from "./rewrite.ts";
import { validateAiSdk } from "./rules.ts";

/**
 * The AI SDK's `ModelMessage`, of versions 5 to 7, and the prompts that it passes to language models (V2 to V4),
 * where a middleware sees them. Slots: `content` (a string) or the index of a part.
 */
export const aiSdk: Format = {
  name: "ai-sdk",
  detect: (messages) => scoreMessages(messages, judgeMessage, 0.3),
  decode: (message) => decodeContent(message, readRole, decodePart),
  look: lookAtAiSdk,
  rewrite: rewriteAiSdk,
  placeNote: (messages, text) => appendMessage(messages, { role: "user", content: [{ type: "text", text }] }),
  validate: validateAiSdk,
};

function readRole(role: string): Role {
  switch (role) {
    case "system":
    case "user":
    case "assistant":
    case "tool":
      return role;
    default:
      return "custom";
  }
}

function decodePart(part: unknown, slot: string, role: Role): Part {
  const known = isRecord(part) ? decodeKnown(part, slot, role) : undefined;
  if (known) return known;
  const opaque: Mutable<OpaquePart> = { kind: "opaque", slot, role, leaves: [], raw: part };
  if (isApproval(part)) opaque.unit = true;
  return opaque;
}

function decodeKnown(part: JsonRecord, slot: string, role: Role): Part | undefined {
  if (isTextBlock(part)) return { kind: "text", slot, role, leaves: [{ id: "text", text: part.text }] };
  if (part.type === "reasoning" && typeof part.text === "string") {
    const signed = isReasoningSigned(part);
    return { kind: "reasoning", slot, role, leaves: [{ id: "text", text: part.text }], signed };
  }
  if (isToolCall(part)) return decodeCall(part, slot, role);
  // A result in an assistant message comes from one of the provider's own tools.
  if (isToolResult(part)) return role === "tool" ? decodeResult(part, slot) : undefined;
  const file = readFile(part);
  if (!file) return undefined;
  const leaves = file.data === undefined ? [] : [{ id: "data", text: file.data }];
  return { kind: "file", slot, role, leaves, media: file.media };
}

function decodeCall(
  part: JsonRecord & { readonly toolCallId: string; readonly toolName: string },
  slot: string,
  role: Role,
): CallPart {
  const { toolCallId: callId, toolName: tool, input } = part;
  const server = part.providerExecuted === true;
  const leaves = server ? [] : collectLeaves(input, "input");
  const call: Mutable<CallPart> = { kind: "call", slot, role, leaves, callId, tool, input };
  if (isCallSigned(part)) call.signed = true;
  if (server) call.server = true;
  return call;
}

/** An unreadable result still answers its call: they are dropped together. */
function decodeResult(part: JsonRecord & { readonly toolCallId: string }, slot: string): ResultPart {
  const { toolCallId: callId, output } = part;
  const unread = { leaves: [], status: "ok", media: [], value: output ?? null } as const;
  const { leaves, status, media, value } = readOutput(output) ?? unread;
  const result: Mutable<ResultPart> = { kind: "result", slot, role: "tool", leaves, callId, status };
  if (media.length > 0) result.media = media;
  if (value !== undefined) result.value = value;
  return result;
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);
const OWN_PARTS: ReadonlySet<unknown> = new Set([
  "reasoning",
  "tool-call",
  "tool-result",
  "tool-approval-request",
  "tool-approval-response",
]);

function judgeMessage(message: unknown): "own" | "plain" | "foreign" {
  if (!isRecord(message) || !ROLES.has(message.role) || message.tool_calls != null) return "foreign";
  const { content, role } = message;
  if (isRecord(message.providerOptions)) return "own";
  if (typeof content === "string") return role === "tool" ? "foreign" : "plain";
  if (!Array.isArray(content)) return "foreign";
  if (content.some(isOwnPart)) return "own";
  return content.every(isTextBlock) && role !== "tool" ? "plain" : "foreign";
}

function isOwnPart(part: unknown): boolean {
  if (!isRecord(part)) return false;
  if (part.type === "image" || part.type === "file" || part.type === "reasoning-file")
    return readFile(part) !== undefined;
  return OWN_PARTS.has(part.type) || (isTextBlock(part) && hasCacheMark(part));
}
