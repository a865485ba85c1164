import { isRecord, type JsonRecord } from "../../basics/json.ts";

export function isThinking(block: unknown): block is JsonRecord & { readonly thinking: string } {
  return isRecord(block) && block.type === "thinking" && typeof block.thinking === "string";
}

export function isToolCall(
  block: unknown,
): block is JsonRecord & { readonly id: string; readonly name: string } {
  return (
    isRecord(block) &&
    block.type === "toolCall" &&
    typeof block.id === "string" &&
    typeof block.name === "string"
  );
}

export function isImage(
  block: unknown,
): block is JsonRecord & { readonly data: string; readonly mimeType: string } {
  return (
    isRecord(block) &&
    block.type === "image" &&
    typeof block.data === "string" &&
    typeof block.mimeType === "string"
  );
}

/** For Chat Completions, pi's `thinkingSignature` is only the name of the field of the text. */
export function isSigned({ redacted, thinkingSignature }: JsonRecord, { api }: JsonRecord): boolean {
  if (redacted === true) return true;
  return typeof thinkingSignature === "string" && thinkingSignature !== "" && api !== "openai-completions";
}

/**
 * For the Responses API, `thinkingSignature` is the whole reasoning item as JSON: one unit with the item after it.
 */
export function isReasoningItem({ thinkingSignature }: JsonRecord): boolean {
  return typeof thinkingSignature === "string" && thinkingSignature.startsWith("{");
}

/** pi does not send a response that failed or was stopped, nor a command that the user excluded from the context. */
export function isSent(message: JsonRecord): boolean {
  if (message.role === "assistant") return message.stopReason !== "error" && message.stopReason !== "aborted";
  return message.role !== "bashExecution" || message.excludeFromContext !== true;
}

/** Fields with the text, for each role that only pi has. */
export const TEXT_FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["bashExecution", ["command", "output"]],
  ["branchSummary", ["summary"]],
  ["compactionSummary", ["summary"]],
]);

/** An assistant message needs at least one such block to be sent. */
export function isContent(block: unknown): boolean {
  return isRecord(block) && block.type !== "thinking";
}
