import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Media } from "../../transcript/part.ts";
import { countBase64Bytes, describeMedia } from "../media.ts";

/** Images, sounds and files: their data, url or id, and their description. */
export function readFile(block: unknown): { readonly data: string; readonly media: Media } | undefined {
  if (!isRecord(block)) return undefined;
  if (block.type === "image_url") {
    const url = isRecord(block.image_url) ? block.image_url.url : block.image_url;
    return typeof url === "string" ? { data: url, media: describeMedia(url, "image/*") } : undefined;
  }
  if (block.type === "input_audio" && isRecord(block.input_audio)) {
    const { data, format } = block.input_audio;
    if (typeof data !== "string") return undefined;
    return {
      data,
      media: { mime: `audio/${typeof format === "string" ? format : "*"}`, bytes: countBase64Bytes(data, 0) },
    };
  }
  if (block.type === "file" && isRecord(block.file)) {
    const { file_data, file_id, filename } = block.file;
    const data = file_data ?? file_id;
    if (typeof data !== "string") return undefined;
    return { data, media: describeMedia(data, "application/octet-stream", filename) };
  }
  return undefined;
}

interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The field of its input: `function.arguments` or `custom.input`. */
  readonly kind: "function" | "custom";
  readonly field: "arguments" | "input";
  readonly body: JsonRecord;
  readonly value: unknown;
  readonly signed: boolean;
}

export function readCall(call: unknown): ToolCall | undefined {
  if (!isRecord(call) || typeof call.id !== "string") return undefined;
  const kind = call.type === "custom" ? "custom" : "function";
  const field = kind === "custom" ? "input" : "arguments";
  const body = call[kind];
  if (!isRecord(body) || typeof body.name !== "string") return undefined;
  return { id: call.id, name: body.name, kind, field, body, value: body[field], signed: isCallSigned(call) };
}

/** Gemini's thought signatures, as spelled by its own endpoint and by LiteLLM. */
function isCallSigned(call: JsonRecord): boolean {
  const extra = isRecord(call.extra_content) ? call.extra_content.google : undefined;
  const fields = call.provider_specific_fields;
  return (
    (isRecord(extra) && extra.thought_signature != null) ||
    (isRecord(fields) && fields.thought_signature != null)
  );
}

/** Fields that contain reasoning as one string, and fields that contain it as blocks, signed or not. */
export const REASONING_TEXTS = ["reasoning_content", "reasoning"] as const;
export const REASONING_LISTS = ["reasoning_details", "thinking_blocks"] as const;

/** The slot of all these fields together: the texts repeat the lists, so a signature covers them too. */
export const SIGNED_REASONING = "signed reasoning";

export function isReasoningSigned(message: JsonRecord): boolean {
  return REASONING_LISTS.some((field) => {
    const list = message[field];
    return Array.isArray(list) && list.some((block) => isRecord(block) && (block.signature || block.data));
  });
}

export function readReasoningKey(block: JsonRecord): string | undefined {
  return ["text", "summary", "thinking"].find((key) => typeof block[key] === "string");
}
