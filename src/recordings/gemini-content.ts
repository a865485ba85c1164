import type { Issue } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { writeJson } from "../basics/write-json.ts";
import { addChatResponse } from "./chat-message.ts";
import { listAt, objectAt, stringAt } from "./json.ts";
import type { ChatBlock, ChatSegment } from "./to-chat.ts";

/** One content of Gemini's API: a role and parts. */
export function isGeminiContent(value: unknown): value is JsonRecord {
  return isRecord(value) && (value.role === "user" || value.role === "model") && Array.isArray(value.parts);
}

/**
 * Adds a content. Calls have no ids, and responses answer them in order:
 *
 *   model: call read_file, call glob | user: response read_file, response glob
 */
export function addGeminiContent(
  content: JsonRecord,
  index: number,
  segment: ChatSegment,
  issues: Issue[],
): void {
  const parts = listAt(content, "parts").filter(isRecord);
  if (content.role === "model") {
    addChatResponse(
      parts.flatMap((part, at) => readBlock(part, `${index}-${at}`)),
      {},
      segment,
    );
    return;
  }
  const responses = parts.map((part) => part.functionResponse).filter(isRecord);
  const open = [...(segment.steps.at(-1)?.calls ?? [])];
  for (const response of responses) {
    const at = open.findIndex(({ name }) => name === response.name);
    const [call] = open.splice(Math.max(0, at), 1);
    segment.addResult(call?.id ?? stringAt(response, "id") ?? "", responseText(response), undefined, issues);
  }
  const input = readGeminiParts(parts);
  if (input.length > 0) segment.addInput({ role: "user", content: input }, undefined);
}

/** Texts and images. */
export function readGeminiParts(parts: readonly unknown[]): readonly JsonRecord[] {
  return parts.filter(isRecord).flatMap((part): readonly JsonRecord[] => {
    const text = stringAt(part, "text");
    if (text) return [{ type: "text", text }];
    const image = objectAt(part, "inlineData");
    if (!image) return [];
    return [{ type: "image_url", image_url: { url: `data:${image.mimeType};base64,${image.data}` } }];
  });
}

/** A tool's output or error; any other value as JSON. */
export function responseText(functionResponse: JsonRecord): string {
  const response = objectAt(functionResponse, "response");
  return stringAt(response, "output") ?? stringAt(response, "error") ?? writeJson(response ?? {});
}

function readBlock(part: JsonRecord, place: string): readonly ChatBlock[] {
  const call = objectAt(part, "functionCall");
  const signature = stringAt(part, "thoughtSignature");
  if (call) {
    const name = stringAt(call, "name") ?? "";
    const block = {
      kind: "call" as const,
      id: stringAt(call, "id") ?? `${name}-${place}`,
      name,
      arguments: writeJson(call.args ?? {}),
    };
    return [signature === undefined ? block : { ...block, signature }];
  }
  const text = stringAt(part, "text");
  return text ? [{ kind: part.thought === true ? "reasoning" : "text", text }] : [];
}
