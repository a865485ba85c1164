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

/** With Chat Completions the "signature" is the name of the field that the text came in. */
export function isSigned({ redacted, thinkingSignature }: JsonRecord, { api }: JsonRecord): boolean {
  if (redacted === true) return true;
  return typeof thinkingSignature === "string" && thinkingSignature !== "" && api !== "openai-completions";
}

/** With the Responses API it is the whole reasoning item, as JSON: its unit holds here too. */
export function isReasoningItem({ thinkingSignature }: JsonRecord): boolean {
  return typeof thinkingSignature === "string" && thinkingSignature.startsWith("{");
}

/** pi sends nothing of a response that failed or was stopped, and no command that the user kept to themselves. */
export function isSent(message: JsonRecord): boolean {
  if (message.role === "assistant") return message.stopReason !== "error" && message.stopReason !== "aborted";
  return message.role !== "bashExecution" || message.excludeFromContext !== true;
}

/** Fields that hold the text of a message of pi's own. */
export const TEXT_FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["bashExecution", ["command", "output"]],
  ["branchSummary", ["summary"]],
  ["compactionSummary", ["summary"]],
]);

/** What makes an assistant message one that stands by itself on the wire. */
export function isContent(block: unknown): boolean {
  return isRecord(block) && block.type !== "thinking";
}
