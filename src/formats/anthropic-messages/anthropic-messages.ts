import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { DecodedMessage } from "../../transcript/message.ts";
import type { CallPart, Leaf, Media, OpaquePart, Part, ResultPart, Role } from "../../transcript/part.ts";
import { isTextBlock, type Mutable, scoreMessages, withoutMark } from "../blocks.ts";
import { decodeContent } from "../content.ts";
import type { Format, PlacedNote } from "../format.ts";
import { collectLeaves } from "../json-leaves.ts";
import { appendMessage } from "../note.ts";
import { isCompaction, isOwnBlock, isSearchResult, isServerCall, isSigned, readSource } from "./blocks.ts";
import { lookAtAnthropic } from "./look.ts";
import { rewriteAnthropicMessages } from "./rewrite.ts";
import { validateAnthropicMessages } from "./rules.ts";

/**
 * Anthropic's Messages API. Slots: `content` (a string) or the index of a content block. A string equals one text
 * block: Claude Code makes it a block while the message carries a cache mark. Marks move at every request, so they
 * are not content.
 */
export const anthropicMessages: Format = {
  name: "anthropic-messages",
  detect: (messages) => scoreMessages(messages, judgeMessage, 0.4),
  decode: decodeAnthropic,
  look: lookAtAnthropic,
  rewrite: rewriteAnthropicMessages,
  placeNote: placeAnthropicNote,
  validate: validateAnthropicMessages,
};

/** The provider ignores everything before a compaction; one without content has failed, and contains nothing. */
function decodeAnthropic(message: unknown): DecodedMessage {
  const decoded = decodeContent(message, readRole, decodeBlock);
  const content = isRecord(message) && Array.isArray(message.content) ? message.content : [];
  const isCompacted = content.some((block) => isCompaction(block) && block.content != null);
  return isCompacted ? { ...decoded, isCompaction: true } : decoded;
}

function readRole(role: string): Role {
  return role === "user" || role === "assistant" || role === "system" ? role : "custom";
}

function decodeBlock(block: unknown, slot: string, role: Role): Part {
  if (isRecord(block)) {
    const part = decodeKnown(block, slot, role);
    if (part !== undefined) return part;
  }
  const opaque: Mutable<OpaquePart> = { kind: "opaque", slot, role, leaves: [], raw: withoutMark(block) };
  if (isCompaction(block)) opaque.unit = true;
  return opaque;
}

function decodeKnown(block: JsonRecord, slot: string, role: Role): Part | undefined {
  switch (block.type) {
    case "text":
      if (typeof block.text !== "string") return undefined;
      return { kind: "text", slot, role, leaves: [{ id: "text", text: block.text }] };
    case "thinking":
      if (typeof block.thinking !== "string") return undefined;
      return {
        kind: "reasoning",
        slot,
        role,
        leaves: [{ id: "text", text: block.thinking }],
        signed: isSigned(block),
      };
    case "redacted_thinking":
      return { kind: "reasoning", slot, role, leaves: [], signed: true };
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return decodeCall(block, slot, role);
    case "tool_result":
      return decodeResult(block, slot, role);
    case "image":
    case "document": {
      const source = readSource(block);
      return (
        source && {
          kind: "file",
          slot,
          role,
          leaves: [{ id: "data", text: source.data }],
          media: source.media,
        }
      );
    }
    default:
      return undefined;
  }
}

function decodeCall(block: JsonRecord, slot: string, role: Role): Part | undefined {
  const { id, name, input } = block;
  if (typeof id !== "string" || typeof name !== "string") return undefined;
  const server = isServerCall(block);
  const leaves = server ? [] : collectLeaves(input, "input");
  const part: Mutable<CallPart> = { kind: "call", slot, role, leaves, callId: id, tool: name, input };
  if (server) part.server = true;
  return part;
}

function decodeResult(block: JsonRecord, slot: string, role: Role): Part | undefined {
  const { tool_use_id, content } = block;
  if (typeof tool_use_id !== "string") return undefined;
  const leaves: Leaf[] = [];
  const media: Media[] = [];
  if (typeof content === "string") leaves.push({ id: "output", text: content });
  if (Array.isArray(content)) {
    for (let index = 0; index < content.length; index++) {
      const inner: unknown = content[index];
      if (isTextBlock(inner)) leaves.push({ id: `content/${index}`, text: inner.text });
      if (isSearchResult(inner))
        for (const [at, found] of inner.content.entries())
          if (isTextBlock(found)) leaves.push({ id: `content/${index}/${at}`, text: found.text });
      const source = isRecord(inner) ? readSource(inner) : undefined;
      if (source) media.push(source.media);
    }
  }
  const status = block.is_error === true ? "error" : "ok";
  // The copy takes no more room than it needs.
  const part: Mutable<ResultPart> = {
    kind: "result",
    slot,
    role,
    leaves: leaves.slice(),
    callId: tool_use_id,
    status,
  };
  if (media.length > 0) part.media = media;
  return part;
}

/** After results, the note is one more block of their message: roles alternate, and results stay first. */
function placeAnthropicNote(messages: readonly unknown[], text: string): PlacedNote<unknown> {
  const last = messages.at(-1);
  if (!isRecord(last) || last.role !== "user" || !Array.isArray(last.content)) {
    return appendMessage(messages, { role: "user", content: text });
  }
  const content = [...last.content, { type: "text", text }];
  return { messages: [...messages.slice(0, -1), { ...last, content }], added: "block" };
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant"]);

function judgeMessage(message: unknown): "own" | "plain" | "foreign" {
  if (!isRecord(message) || !ROLES.has(message.role) || message.tool_calls != null) return "foreign";
  const { content } = message;
  if (typeof content === "string") return "plain";
  if (!Array.isArray(content)) return "foreign";
  if (content.every(isTextBlock)) return "plain";
  return content.some(isOwnBlock) ? "own" : "foreign";
}
