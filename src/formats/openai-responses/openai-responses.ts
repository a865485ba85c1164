import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { DecodedMessage } from "../../transcript/message.ts";
import type {
  CallPart,
  Leaf,
  Media,
  OpaquePart,
  Part,
  ReasoningPart,
  ResultPart,
  Role,
} from "../../transcript/part.ts";
import { decodeOpaque, type Mutable, omitField, openStep, scoreMessages, WHOLE_MESSAGE } from "../blocks.ts";
import type { Format } from "../format.ts";
import { appendMessage } from "../note.ts";
import { isAgentsItem } from "../openai-agents/items.ts";
import {
  CACHE_MARK,
  isModelItem,
  isReasoningSigned,
  isReference,
  isServerCall,
  REASONING_LISTS,
  readCall,
  readFile,
  readOutputId,
  readTextField,
} from "./items.ts";
import { lookAtItem } from "./look.ts";
import { rewriteOpenAiResponses } from "./rewrite.ts";
import { validateOpenAiResponses } from "./rules.ts";

/**
 * The items of a Responses request's `input`. A response is several items; its reasoning and the items after it
 * (calls, messages with an id) are one unit.
 *
 * Slots: `content` (a message's string), the index of a message's content block, or `item` for a whole item.
 */
export const openAiResponses: Format = {
  name: "openai-responses",
  detect: (items) => scoreMessages(items, judgeItem, 0.3),
  decode: decodeItem,
  look: lookAtItem,
  rewrite: rewriteOpenAiResponses,
  placeNote: (items, text) =>
    appendMessage(items, { type: "message", role: "user", content: [{ type: "input_text", text }] }),
  validate: validateOpenAiResponses,
};

/** Does the server hold the history of this request? Its `input` then contains only new items, and is left alone. */
export function isHistoryOnServer(request: unknown): boolean {
  return isRecord(request) && (request.previous_response_id != null || request.conversation != null);
}

/** A compaction is the provider's summary of everything before it: it begins a history, and is not a response. */
function decodeItem(item: unknown): DecodedMessage {
  if (!isRecord(item)) return decodeOpaque(item, "custom");
  const role = readRole(item);
  const parts = item.type == null || item.type === "message" ? decodeMessage(item, role) : undefined;
  const decoded = parts ?? [decodeOther(item, role)];
  if (!isModelItem(item)) {
    const isCustom = role === "custom" && typeof item.role === "string";
    return isCustom ? { role, customType: String(item.role), parts: decoded } : { role, parts: decoded };
  }
  if (item.type === "compaction") return { role, parts: decoded, isCompaction: true };
  openStep(decoded);
  return { role, parts: decoded, isItem: true };
}

function readRole(item: JsonRecord): Role {
  if (readOutputId(item) !== undefined) return "tool";
  if (isModelItem(item)) return "assistant";
  const { role } = item;
  return role === "user" || role === "system" || role === "developer" ? role : "custom";
}

function decodeMessage(item: JsonRecord, role: Role): readonly Part[] | undefined {
  const { content } = item;
  const isUnit = role === "assistant" && typeof item.id === "string";
  const mark = (part: Part): Part => (isUnit ? { ...part, unit: true } : part);
  if (typeof item.role !== "string") return undefined;
  if (typeof content === "string") {
    return [mark({ kind: "text", slot: "content", role, leaves: [{ id: "text", text: content }] })];
  }
  if (!Array.isArray(content) || content.length === 0) return undefined;
  return Array.from(content, (block: unknown, index) => mark(decodeBlock(block, String(index), role)));
}

function decodeBlock(block: unknown, slot: string, role: Role): Part {
  const text = readText(block);
  if (text !== undefined) return { kind: "text", slot, role, leaves: [{ id: "text", text }] };
  const file = readFile(block);
  if (file) return { kind: "file", slot, role, leaves: [{ id: "data", text: file.data }], media: file.media };
  return {
    kind: "opaque",
    slot,
    role,
    leaves: [],
    raw: isRecord(block) ? omitField(block, CACHE_MARK) : block,
  };
}

function readText(block: unknown): string | undefined {
  const field = readTextField(block);
  const text = field !== undefined && isRecord(block) ? block[field] : undefined;
  return typeof text === "string" ? text : undefined;
}

function decodeOther(item: JsonRecord, role: Role): Part {
  const slot = "item";
  if (item.type === "reasoning") return decodeReasoning(item);
  const call = readCall(item);
  if (call) return { kind: "call", slot, role, ...call };
  const callId = readOutputId(item);
  if (callId !== undefined) return decodeOutput(item, callId);
  if (isServerCall(item) && typeof item.id === "string" && typeof item.type === "string") {
    const tool = typeof item.name === "string" ? item.name : item.type.slice(0, -"_call".length);
    const server: CallPart = {
      kind: "call",
      slot,
      role,
      leaves: [],
      callId: item.id,
      tool,
      input: item,
      server: true,
    };
    return server;
  }
  const opaque: Mutable<OpaquePart> = { kind: "opaque", slot: WHOLE_MESSAGE, role, leaves: [], raw: item };
  if (role === "assistant") opaque.unit = true;
  if (item.type === "additional_tools") opaque.known = true;
  return opaque;
}

function decodeReasoning(item: JsonRecord): ReasoningPart {
  const leaves = REASONING_LISTS.flatMap((field) => {
    const list = item[field];
    if (!Array.isArray(list)) return [];
    return Array.from(list, (block: unknown, index): Leaf | undefined => {
      const text = isRecord(block) ? block.text : undefined;
      return typeof text === "string" ? { id: `${field}/${index}`, text } : undefined;
    }).filter((leaf) => leaf !== undefined);
  });
  const signed = isReasoningSigned(item);
  return { kind: "reasoning", slot: "item", role: "assistant", leaves, signed, unit: true };
}

function decodeOutput(item: JsonRecord, callId: string): ResultPart {
  const { output } = item;
  const leaves: Leaf[] = [];
  const media: Media[] = [];
  if (typeof output === "string") leaves.push({ id: "output", text: output });
  for (const [index, block] of (Array.isArray(output) ? output : [output]).entries()) {
    const text = readText(block);
    if (text !== undefined) leaves.push({ id: `content/${index}`, text });
    const file = readFile(block);
    if (file) media.push(file.media);
    if (item.type === "shell_call_output" && isRecord(block)) {
      for (const field of ["stdout", "stderr"] as const) {
        const stream = block[field];
        if (typeof stream === "string") leaves.push({ id: `content/${index}/${field}`, text: stream });
      }
    }
  }
  const result: Mutable<ResultPart> = {
    kind: "result",
    slot: "item",
    role: "tool",
    leaves,
    callId,
    status: item.status === "failed" ? "error" : "ok",
  };
  const exitCode = readExitCode(item);
  if (exitCode !== undefined) result.exitCode = exitCode;
  if (media.length > 0) result.media = media;
  return result;
}

/** If there are several commands, the last one's. */
function readExitCode({ type, output }: JsonRecord): number | undefined {
  const last: unknown = type === "shell_call_output" && Array.isArray(output) ? output.at(-1) : undefined;
  const outcome = isRecord(last) && isRecord(last.outcome) ? last.outcome : {};
  return typeof outcome.exit_code === "number" ? outcome.exit_code : undefined;
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant"]);
const BLOCKS: ReadonlySet<unknown> = new Set([
  "input_text",
  "output_text",
  "input_image",
  "input_file",
  "refusal",
]);

/** In addition to calls and outputs. */
const OTHER_ITEMS: ReadonlySet<unknown> = new Set([
  "reasoning",
  "compaction",
  "compaction_trigger",
  "additional_tools",
  "mcp_list_tools",
  "mcp_approval_request",
  "mcp_approval_response",
  "program",
]);

function judgeItem(item: unknown): "own" | "plain" | "foreign" {
  if (!isRecord(item)) return "foreign";
  const { type, role, content } = item;
  if (isAgentsItem(item)) return "foreign";
  if (isReference(item)) return "own";
  if (type == null || type === "message") {
    if (!ROLES.has(role)) return "foreign";
    const hasOwnBlocks =
      Array.isArray(content) && content.some((block) => isRecord(block) && BLOCKS.has(block.type));
    if (hasOwnBlocks || (type === "message" && typeof content === "string")) return "own";
    return typeof content === "string" ? "plain" : "foreign";
  }
  return OTHER_ITEMS.has(type) || (typeof type === "string" && /_(?:call|output)$/.test(type))
    ? "own"
    : "foreign";
}
