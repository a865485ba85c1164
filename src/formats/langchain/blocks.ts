import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Media } from "../../transcript/part.ts";
import { readSource } from "../anthropic-messages/blocks.ts";
import { countBase64Bytes, describeMedia } from "../media.ts";
import { readFile as readChatFile } from "../openai-chat/blocks.ts";

const TEXTS: ReadonlySet<unknown> = new Set(["text", "input_text", "output_text"]);

export function isText(block: unknown): block is JsonRecord & { readonly text: string } {
  return isRecord(block) && TEXTS.has(block.type) && typeof block.text === "string" && !isStandardText(block);
}

/** A text as a file, in LangChain's first standard. */
function isStandardText(block: JsonRecord): boolean {
  return block.source_type !== undefined;
}

/** The field with the text of reasoning: Anthropic's, and LangChain's standard. */
export function readReasoningField(block: unknown): "thinking" | "reasoning" | undefined {
  if (!isRecord(block)) return undefined;
  if (block.type === "thinking") return typeof block.thinking === "string" ? "thinking" : undefined;
  return block.type === "reasoning" && typeof block.reasoning === "string" ? "reasoning" : undefined;
}

export function isReasoning(block: unknown): boolean {
  return isRecord(block) && (block.type === "redacted_thinking" || readReasoningField(block) !== undefined);
}

export function isReasoningSigned(block: JsonRecord): boolean {
  const extras = isRecord(block.extras) ? block.extras : {};
  return [block.signature, extras.signature, block.encrypted_content, block.id].some((mark) => mark != null);
}

/** The field of a block that contains the input of a call. */
const INPUT_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ["tool_use", "input"],
  ["tool_call", "args"],
  ["function_call", "arguments"],
]);

/** A block that repeats an entry of `tool_calls`: which call, and the field of its input. See `indexCalls`. */
export function readDoubledCall(
  block: unknown,
  calls: ReadonlyMap<string, number>,
): { readonly index: number; readonly field: string } | undefined {
  if (!isRecord(block)) return undefined;
  const field = INPUT_FIELDS.get(block.type);
  const id = block.type === "function_call" ? (block.call_id ?? block.id) : block.id;
  if (field === undefined || typeof id !== "string") return undefined;
  const index = calls.get(id);
  return index === undefined ? undefined : { index, field };
}

interface File {
  /** `undefined` for bytes. */
  readonly data: string | undefined;
  readonly media: Media;
}

const MEDIA: ReadonlyMap<unknown, string> = new Map([
  ["image", "image/*"],
  ["audio", "audio/*"],
  ["video", "video/*"],
  ["file", "application/octet-stream"],
  ["text-plain", "text/plain"],
  ["text", "text/plain"],
]);

/** An attachment, in the spelling of OpenAI, Anthropic or either standard of LangChain. */
export function readFile(block: unknown): File | undefined {
  if (!isRecord(block)) return undefined;
  const known = readChatFile(block) ?? readSource(block);
  if (known) return known;
  const kind = MEDIA.get(block.type);
  if (kind === undefined || (block.type === "text" && !isStandardText(block))) return undefined;
  const mediaType = block.mimeType ?? block.mime_type;
  const mime = typeof mediaType === "string" ? mediaType : kind;
  const metadata = isRecord(block.metadata) ? block.metadata : {};
  const data = block.data ?? block.url ?? block.text ?? block.fileId ?? block.id;
  if (ArrayBuffer.isView(data)) return { data: undefined, media: { mime, bytes: data.byteLength } };
  if (typeof data !== "string") return undefined;
  const media = describeMedia(data, mime, metadata.filename ?? metadata.name ?? metadata.title);
  const isBase64 = data === block.data && media.bytes === undefined;
  return { data, media: isBase64 ? { ...media, bytes: countBase64Bytes(data, 0) } : media };
}
