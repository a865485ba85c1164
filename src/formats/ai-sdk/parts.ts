import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Leaf, Media, ResultStatus } from "../../transcript/part.ts";
import { collectLeaves } from "../json-leaves.ts";
import { countBase64Bytes, describeMedia } from "../media.ts";
import { isReasoningSignedIn, isSignedIn, listProviders } from "./provider-options.ts";

/** A call's options may also be in the field that responses have them in. */
const OPTIONS = ["providerOptions", "providerMetadata"] as const;

export function isReasoningSigned(part: JsonRecord): boolean {
  return OPTIONS.some((field) => isReasoningSignedIn(part[field]));
}

/** A call that carries a provider's signature. */
export function isCallSigned(part: JsonRecord): boolean {
  return OPTIONS.some((field) => isSignedIn(part[field]));
}

/** Anthropic's, Bedrock's and OpenAI's marks for the cache. */
export function hasCacheMark(part: JsonRecord): boolean {
  return listProviders(part.providerOptions).some((provider) =>
    ["cacheControl", "cache_control", "cachePoint", "promptCacheBreakpoint"].some(
      (key) => provider[key] != null,
    ),
  );
}

export function isToolCall(
  part: unknown,
): part is JsonRecord & { readonly toolCallId: string; readonly toolName: string } {
  return (
    isRecord(part) &&
    part.type === "tool-call" &&
    typeof part.toolCallId === "string" &&
    typeof part.toolName === "string"
  );
}

export function isToolResult(part: unknown): part is JsonRecord & { readonly toolCallId: string } {
  return isRecord(part) && part.type === "tool-result" && typeof part.toolCallId === "string";
}

/** Asks for permission to run a call, or gives it; it names the call by an id. */
export function isApproval(part: unknown): boolean {
  return isRecord(part) && (part.type === "tool-approval-request" || part.type === "tool-approval-response");
}

/** An assistant message needs at least one such part to be sent. */
export function isContent(part: unknown): boolean {
  return isRecord(part) && part.type !== "reasoning";
}

interface File {
  /** The data, url or id as text; `undefined` for bytes. */
  readonly data: string | undefined;
  readonly media: Media;
}

/** An image or a file: base64, a data url, a url (also as an object), bytes. */
export function readFile(part: JsonRecord): File | undefined {
  if (part.type !== "image" && part.type !== "file") return undefined;
  const value = part.type === "image" ? part.image : part.data;
  const mime =
    typeof part.mediaType === "string"
      ? part.mediaType
      : part.type === "image"
        ? "image/*"
        : "application/octet-stream";
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    const { filename } = part;
    const name = typeof filename === "string" ? { name: filename } : {};
    return { data: undefined, media: { mime, ...name, bytes: value.byteLength } };
  }
  const data = isRecord(value) ? value.href : value;
  return typeof data === "string" ? { data, media: describeFile(data, mime, part.filename) } : undefined;
}

function describeFile(data: string, mime: string, name?: unknown): Media {
  const media = describeMedia(data, mime, name);
  return /^[a-z]+:/i.test(data) ? media : { ...media, bytes: countBase64Bytes(data, 0) };
}

interface Output {
  readonly status: ResultStatus;
  readonly leaves: readonly Leaf[];
  readonly media: readonly Media[];
  /** The output where it is JSON. */
  readonly value?: unknown;
}

/** Strings of a JSON output that OpenAI's own tools take from a fixed schema: they must not change. */
const NAMING = /\/(?:type|status)$/;

/** What a tool gave: `{ type, value }`. */
export function readOutput(output: unknown): Output | undefined {
  if (!isRecord(output)) return undefined;
  const { type, value } = output;
  const none = { leaves: [], media: [] };
  switch (type) {
    case "text":
    case "error-text":
      if (typeof value !== "string") return undefined;
      return { ...none, status: toStatus(type), leaves: [{ id: "output", text: value }] };
    case "json":
    case "error-json": {
      const leaves = collectLeaves(value, "output").filter(({ id }) => !NAMING.test(id));
      return { ...none, status: toStatus(type), leaves, value: value ?? null };
    }
    case "content":
      return Array.isArray(value) ? { status: "ok", ...readContent(value) } : undefined;
    case "execution-denied":
      return { ...none, status: "error" };
    default:
      return undefined;
  }
}

function toStatus(type: string): ResultStatus {
  return type.startsWith("error") ? "error" : "ok";
}

function readContent(list: readonly unknown[]): Pick<Output, "leaves" | "media"> {
  const leaves: Leaf[] = [];
  const media: Media[] = [];
  for (const [index, item] of list.entries()) {
    if (!isRecord(item)) continue;
    const { type, text, data, url, mediaType } = item;
    if (type === "text" && typeof text === "string") leaves.push({ id: `content/${index}`, text });
    const file = data ?? url;
    if (type === "text" || typeof file !== "string") continue;
    const isImage = typeof type === "string" && type.startsWith("image");
    const mime = typeof mediaType === "string" ? mediaType : isImage ? "image/*" : "application/octet-stream";
    media.push(describeFile(file, mime, item.filename));
  }
  return { leaves, media };
}
