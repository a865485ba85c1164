import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Media } from "../../transcript/part.ts";
import { countBase64Bytes } from "../media.ts";

/** The provider runs these itself; their results are in the same message. */
export function isServerCall(block: JsonRecord): boolean {
  return block.type === "server_tool_use" || block.type === "mcp_tool_use";
}

/** The provider's summary of everything before it. */
export function isCompaction(block: unknown): block is JsonRecord {
  return isRecord(block) && block.type === "compaction";
}

/** A source that a tool found, with its text in blocks. */
export function isSearchResult(
  block: unknown,
): block is JsonRecord & { readonly content: readonly unknown[] } {
  return isRecord(block) && block.type === "search_result" && Array.isArray(block.content);
}

/** Types that only this API has, in addition to tool uses and their results. */
const OWN_TYPES: ReadonlySet<unknown> = new Set([
  "compaction",
  "container_upload",
  "search_result",
  "tool_addition",
  "tool_reference",
  "tool_removal",
]);

export function isReasoning(block: unknown): block is JsonRecord {
  return isRecord(block) && (block.type === "thinking" || block.type === "redacted_thinking");
}

/** Other providers of this API return thinking without a signature. */
export function isSigned(block: JsonRecord): boolean {
  return (
    block.type === "redacted_thinking" || (typeof block.signature === "string" && block.signature !== "")
  );
}

/** Does it have a type that only this format spells like this? */
export function isOwnBlock(block: unknown): boolean {
  if (!isRecord(block)) return false;
  const { type } = block;
  if (type === "image" || type === "document") return isRecord(block.source);
  return (
    isReasoning(block) ||
    OWN_TYPES.has(type) ||
    (typeof type === "string" && (type.endsWith("tool_use") || type.endsWith("tool_result")))
  );
}

/** Images and documents: their data, url or id, and their description. */
export function readSource(block: JsonRecord): { readonly data: string; readonly media: Media } | undefined {
  if ((block.type !== "image" && block.type !== "document") || !isRecord(block.source)) return undefined;
  const { source } = block;
  const data = source.data ?? source.url ?? source.file_id ?? source.content;
  if (typeof data !== "string") return undefined;
  const mediaType = source.media_type;
  const mime =
    typeof mediaType === "string"
      ? mediaType
      : block.type === "image"
        ? "image/*"
        : "application/octet-stream";
  const name = typeof block.title === "string" ? { name: block.title } : {};
  const bytes = source.type === "base64" ? { bytes: countBase64Bytes(data, 0) } : {};
  return { data, media: { mime, ...name, ...bytes } };
}
