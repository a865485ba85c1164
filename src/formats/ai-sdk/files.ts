import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Media } from "../../transcript/part.ts";
import { countBase64Bytes, describeMedia } from "../media.ts";

interface File {
  /** The data, url or text; `undefined` if none can be replaced: bytes, or data that the provider has stored. */
  readonly data: string | undefined;
  readonly media: Media;
}

/**
 * An image or a file of a message. The forms of its data, in all versions of the SDK and of its prompts:
 *
 *   base64, a data url, a url (also as an object), bytes       5 and 6 (V2, V3)
 *   { type: "data" | "url" | "text" | "reference", … }          7 (V4)
 */
export function readFile(part: JsonRecord): File | undefined {
  const { type, mediaType, filename } = part;
  if (type !== "image" && type !== "file" && type !== "reasoning-file") return undefined;
  const mime =
    typeof mediaType === "string" ? mediaType : type === "image" ? "image/*" : "application/octet-stream";
  const file = readData(type === "image" ? part.image : part.data, mime, filename);
  // A file that the model produced while it reasoned is left alone.
  return file && type === "reasoning-file" ? { ...file, data: undefined } : file;
}

/** A file in a tool's output. */
export function readOutputFile(item: JsonRecord): Media | undefined {
  const { type, mediaType } = item;
  if (typeof type !== "string" || type === "text" || type === "custom") return undefined;
  const mime =
    typeof mediaType === "string"
      ? mediaType
      : type.startsWith("image")
        ? "image/*"
        : "application/octet-stream";
  if (item.fileId !== undefined || item.providerReference !== undefined) return { mime };
  return readData(item.data ?? item.url, mime, item.filename)?.media;
}

function readData(value: unknown, mime: string, filename: unknown): File | undefined {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return { data: undefined, media: { mime, ...nameOf(filename), bytes: value.byteLength } };
  if (typeof value === "string") return { data: value, media: describeFile(value, mime, filename) };
  if (!isRecord(value)) return undefined;
  if (typeof value.href === "string") return readData(value.href, mime, filename);
  switch (value.type) {
    case "data":
      return isTagged(value.data) ? undefined : readData(value.data, mime, filename);
    case "url":
      return isTagged(value.url) ? undefined : readData(value.url, mime, filename);
    case "text":
      if (typeof value.text !== "string") return undefined;
      return { data: value.text, media: { mime, ...nameOf(filename), bytes: value.text.length } };
    case "reference":
      return { data: undefined, media: { mime, ...nameOf(filename) } };
    default:
      return undefined;
  }
}

/** Tagged data inside tagged data is refused: a cycle would never end. */
function isTagged(value: unknown): boolean {
  return isRecord(value) && typeof value.type === "string";
}

function nameOf(filename: unknown): { readonly name?: string } {
  return typeof filename === "string" ? { name: filename } : {};
}

function describeFile(data: string, mime: string, name?: unknown): Media {
  const media = describeMedia(data, mime, name);
  return /^[a-z]+:/i.test(data) ? media : { ...media, bytes: countBase64Bytes(data, 0) };
}
