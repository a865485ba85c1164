import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Role } from "../../transcript/part.ts";

/** A `BaseMessage`, by its shape: nothing of LangChain is imported, and its classes may be of any version. */
export interface BaseMessage extends JsonRecord {
  readonly content: unknown;
}

/** Human, ai, tool, system …: a field of the class since version 1, a method before. */
export function typeOf(message: unknown): string | undefined {
  if (!isRecord(message)) return undefined;
  if (typeof message.type === "string") return message.type;
  try {
    const type: unknown = typeof message._getType === "function" ? message._getType() : undefined;
    return typeof type === "string" ? type : undefined;
  } catch {
    return undefined;
  }
}

const TYPES: ReadonlySet<unknown> = new Set([
  "human",
  "ai",
  "system",
  "developer",
  "tool",
  "function",
  "generic",
  "remove",
]);

export function isBaseMessage(message: unknown): message is BaseMessage {
  return isRecord(message) && "content" in message && TYPES.has(typeOf(message));
}

/** Is it one of LangChain's own objects, or a copy of one? */
export function isOwn(message: unknown): boolean {
  if (!isBaseMessage(message)) return false;
  const { lc_namespace: namespace } = message;
  return (
    (Array.isArray(namespace) && namespace.includes("messages")) || typeof message._getType === "function"
  );
}

export function roleOf(message: BaseMessage): Role {
  const type = typeOf(message);
  switch (type === "generic" ? message.role : type) {
    case "human":
    case "user":
      return "user";
    case "ai":
    case "assistant":
      return "assistant";
    case "system":
      return "system";
    case "developer":
      return "developer";
    case "tool":
    case "function":
      return "tool";
    default:
      return "custom";
  }
}

export function recordAt(message: JsonRecord, field: string): JsonRecord {
  const value = message[field];
  return isRecord(value) ? value : NONE;
}

const NONE: JsonRecord = {};

/** A copy of the same class with all properties, including symbols and hidden fields, and these fields changed. */
export function cloneWith(message: JsonRecord, fields: JsonRecord): JsonRecord {
  const copy: JsonRecord = Object.create(
    Object.getPrototypeOf(message),
    Object.getOwnPropertyDescriptors(message),
  );
  for (const [key, value] of Object.entries(fields))
    Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
  return copy;
}

interface ToolCall extends JsonRecord {
  readonly id: string;
  readonly name: string;
}

export function isToolCall(call: unknown): call is ToolCall {
  return isRecord(call) && typeof call.id === "string" && typeof call.name === "string";
}

export function listCalls(message: JsonRecord): readonly unknown[] {
  return Array.isArray(message.tool_calls) ? message.tool_calls : [];
}

/** The index of each call in `tool_calls`, by its id. */
export function indexCalls(message: JsonRecord): ReadonlyMap<string, number> {
  const indices = new Map<string, number>();
  for (const [index, call] of listCalls(message).entries())
    if (isToolCall(call) && !indices.has(call.id)) indices.set(call.id, index);
  return indices;
}

/** The field in which Google's package keeps the signatures of calls, by their ids. */
const SIGNATURES = "__gemini_function_call_thought_signatures__";

export function isCallSigned(message: JsonRecord, { id }: ToolCall): boolean {
  return recordAt(recordAt(message, "additional_kwargs"), SIGNATURES)[id] != null;
}

/** The reasoning item of OpenAI's Responses, which OpenAI's package keeps outside the content. */
export function readReasoningItem(message: JsonRecord): JsonRecord | undefined {
  const { reasoning } = recordAt(message, "additional_kwargs");
  return isRecord(reasoning) ? reasoning : undefined;
}

/** Slots of reasoning in `additional_kwargs`. */
export const REASONING_ITEM = "reasoning";
export const REASONING_TEXT = "reasoning_content";
