import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { DecodedMessage } from "../../transcript/message.ts";
import type {
  Leaf,
  Media,
  OpaquePart,
  Part,
  ReasoningPart,
  ResultPart,
  Role,
} from "../../transcript/part.ts";
import { decodeOpaque, type Mutable, openStep, scoreMessages, WHOLE_MESSAGE } from "../blocks.ts";
import type { Format } from "../format.ts";
import { appendMessage } from "../note.ts";
import {
  isAgentsItem,
  isMessage,
  isModelItem,
  isReasoningSigned,
  REASONING_LISTS,
  readCall,
  readFile,
  readOutputId,
  readTextField,
} from "./items.ts";
import { rewriteOpenAiAgents } from "./rewrite.ts";
import { validateOpenAiAgents } from "./rules.ts";

/**
 * The items of OpenAI's Agents SDK (`AgentInputItem`), which its models convert to a request. A response is several
 * items, as in the Responses API. Slots: `content` (a message's string), the index of a message's content block, or
 * `item` for a whole item.
 */
export const openAiAgents: Format = {
  name: "openai-agents",
  detect: (items) => scoreMessages(items, judgeItem, 0.2),
  decode: decodeItem,
  look: (item, trace) => isRecord(item) && trace.seeAll(item),
  rewrite: rewriteOpenAiAgents,
  placeNote: (items, text) => appendMessage(items, { role: "user", content: text }),
  validate: validateOpenAiAgents,
};

function decodeItem(item: unknown): DecodedMessage {
  if (!isRecord(item)) return decodeOpaque(item, "custom");
  const role = readRole(item);
  const parts = (isMessage(item) ? decodeMessage(item, role) : undefined) ?? [decodeOther(item, role)];
  if (item.type === "compaction") return { role, parts, isCompaction: true };
  if (!isModelItem(item)) {
    const isCustom = role === "custom" && typeof item.role === "string";
    return isCustom ? { role, customType: String(item.role), parts } : { role, parts };
  }
  openStep(parts);
  return { role, parts, isItem: true };
}

function readRole(item: JsonRecord): Role {
  if (readOutputId(item) !== undefined) return "tool";
  if (isModelItem(item)) return "assistant";
  return item.role === "user" || item.role === "system" ? item.role : "custom";
}

function decodeMessage(item: JsonRecord, role: Role): readonly Part[] | undefined {
  const { content } = item;
  const isUnit = role === "assistant" && typeof item.id === "string";
  const mark = (part: Part): Part => (isUnit ? { ...part, unit: true } : part);
  if (typeof item.role !== "string") return undefined;
  if (typeof content === "string")
    return [mark({ kind: "text", slot: "content", role, leaves: [{ id: "text", text: content }] })];
  if (!Array.isArray(content) || content.length === 0) return undefined;
  return Array.from(content, (block: unknown, index) => mark(decodeBlock(block, String(index), role)));
}

function decodeBlock(block: unknown, slot: string, role: Role): Part {
  const text = readText(block);
  if (text !== undefined) return { kind: "text", slot, role, leaves: [{ id: "text", text }] };
  const file = readFile(block);
  if (!file) return { kind: "opaque", slot, role, leaves: [], raw: block };
  const leaves = file.data === undefined || role === "assistant" ? [] : [{ id: "data", text: file.data }];
  return { kind: "file", slot, role, leaves, media: file.media };
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
  const { id, name } = item;
  // Run by the provider: call and result are one item.
  if (item.type === "hosted_tool_call" && typeof name === "string") {
    const own = typeof id === "string" ? id : name;
    return { kind: "call", slot, role, leaves: [], callId: own, tool: name, input: item, server: true };
  }
  const opaque: Mutable<OpaquePart> = { kind: "opaque", slot: WHOLE_MESSAGE, role, leaves: [], raw: item };
  if (role === "assistant") opaque.unit = true;
  return opaque;
}

function decodeReasoning(item: JsonRecord): ReasoningPart {
  const leaves = REASONING_LISTS.flatMap((field) => {
    const list: readonly unknown[] = Array.isArray(item[field]) ? item[field] : [];
    return Array.from(list, (block, index): readonly Leaf[] =>
      isRecord(block) && typeof block.text === "string"
        ? [{ id: `${field}/${index}`, text: block.text }]
        : [],
    ).flat();
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
    if (item.type === "shell_call_output" && isRecord(block))
      for (const field of ["stdout", "stderr"] as const) {
        const stream = block[field];
        if (typeof stream === "string") leaves.push({ id: `content/${index}/${field}`, text: stream });
      }
  }
  const status = item.status === "failed" ? "error" : "ok";
  const result: Mutable<ResultPart> = { kind: "result", slot: "item", role: "tool", leaves, callId, status };
  const exitCode = readExitCode(item);
  if (exitCode !== undefined) result.exitCode = exitCode;
  if (media.length > 0) result.media = media;
  return result;
}

/** If there are several commands, the last one's. */
function readExitCode({ type, output }: JsonRecord): number | undefined {
  const last: unknown = type === "shell_call_output" && Array.isArray(output) ? output.at(-1) : undefined;
  const outcome = isRecord(last) && isRecord(last.outcome) ? last.outcome : {};
  return typeof outcome.exitCode === "number" ? outcome.exitCode : undefined;
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant"]);
const OTHER_ITEMS: ReadonlySet<unknown> = new Set([
  "tool_search_call",
  "tool_search_output",
  "compaction",
  "unknown",
  "reasoning",
]);

function judgeItem(item: unknown): "own" | "plain" | "foreign" {
  if (!isRecord(item)) return "foreign";
  if (isAgentsItem(item)) return "own";
  if (OTHER_ITEMS.has(item.type)) return "plain";
  if (!isMessage(item) || !ROLES.has(item.role)) return "foreign";
  const { content } = item;
  const isPlain = typeof content === "string" || (Array.isArray(content) && content.every(isPlainBlock));
  return isPlain ? "plain" : "foreign";
}

function isPlainBlock(block: unknown): boolean {
  return isRecord(block) && block.type !== "text" && readTextField(block) !== undefined;
}
