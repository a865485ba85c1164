import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { nameInNamespace } from "../../tool-kinds/name-in-namespace.ts";
import type { Leaf, Media } from "../../transcript/part.ts";
import { readArguments } from "../arguments.ts";
import { collectLeaves } from "../json-leaves.ts";
import { countBase64Bytes, describeMedia } from "../media.ts";

/**
 * The field of a call's input in its item, and the strings in it that are free text; the protocol fixes the others.
 */
export const CALLS: ReadonlyMap<unknown, { readonly field: string; readonly free: RegExp }> = new Map([
  ["function_call", { field: "arguments", free: /^/ }],
  ["shell_call", { field: "action", free: /^input\/commands\// }],
  ["apply_patch_call", { field: "operation", free: /^input\/diff$/ }],
  ["computer_call", { field: "action", free: /^$/ }],
]);

const OUTPUTS: ReadonlySet<unknown> = new Set([
  "function_call_result",
  "shell_call_output",
  "apply_patch_call_output",
  "computer_call_result",
]);

interface ClientCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly leaves: readonly Leaf[];
}

export function readCall(item: JsonRecord): ClientCall | undefined {
  const { type, callId, name } = item;
  const call = CALLS.get(type);
  if (!call || typeof type !== "string" || typeof callId !== "string") return undefined;
  const isFunction = type === "function_call";
  if (isFunction && typeof name !== "string") return undefined;
  const tool = isFunction ? nameInNamespace(item.namespace, String(name)) : type.slice(0, -"_call".length);
  const value = type === "computer_call" ? (item.action ?? item.actions) : item[call.field];
  const isText = isFunction && typeof value === "string";
  const { input, leaves: all } = isText
    ? readArguments(value)
    : { input: value, leaves: collectLeaves(value, "input") };
  return { callId, tool, input, leaves: all.filter(({ id }) => call.free.test(id)) };
}

export function readOutputId({ type, callId }: JsonRecord): string | undefined {
  return OUTPUTS.has(type) && typeof callId === "string" ? callId : undefined;
}

export function isMessage({ type }: JsonRecord): boolean {
  return type == null || type === "message";
}

/** Does this item belong to a response? Unknown types do, unless they are an output. */
export function isModelItem(item: JsonRecord): boolean {
  const { type } = item;
  if (isMessage(item)) return item.role === "assistant";
  if (type === "tool_search_output") return item.execution !== "client";
  if (type === "program_output") return true;
  return typeof type === "string" && !/_(?:output|result)$/.test(type);
}

/** The lists of a reasoning item that contain its texts. */
export const REASONING_LISTS = ["content", "rawContent"] as const;

/** Reasoning that is encrypted or has an id must not change; other reasoning may. */
export function isReasoningSigned({ id, providerData }: JsonRecord): boolean {
  const data = isRecord(providerData) ? providerData : {};
  return id != null || data.encrypted_content != null || data.encryptedContent != null;
}

const TEXT_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ["input_text", "text"],
  ["output_text", "text"],
  ["text", "text"],
  ["refusal", "refusal"],
]);

/** The field of a content block that contains its text. */
export function readTextField(block: unknown): string | undefined {
  const field = isRecord(block) ? TEXT_FIELDS.get(block.type) : undefined;
  return field !== undefined && isRecord(block) && typeof block[field] === "string" ? field : undefined;
}

const FILES: ReadonlyMap<unknown, { readonly field: string; readonly mime: string }> = new Map([
  ["input_image", { field: "image", mime: "image/*" }],
  ["image", { field: "image", mime: "image/*" }],
  ["computer_screenshot", { field: "data", mime: "image/*" }],
  ["input_file", { field: "file", mime: "application/octet-stream" }],
  ["file", { field: "file", mime: "application/octet-stream" }],
  ["audio", { field: "audio", mime: "audio/*" }],
]);

/** Images, files and sounds: their data (`undefined` for bytes), url or id, and their description. */
export function readFile(
  block: unknown,
): { readonly data: string | undefined; readonly media: Media } | undefined {
  const file = isRecord(block) ? FILES.get(block.type) : undefined;
  if (!file || !isRecord(block)) return undefined;
  const value = block[file.field];
  const source: JsonRecord = isRecord(value) ? value : {};
  const mime = typeof source.mediaType === "string" ? source.mediaType : file.mime;
  const data = isRecord(value) ? (source.data ?? source.url ?? source.id ?? source.fileId) : value;
  if (ArrayBuffer.isView(data)) return { data: undefined, media: { mime, bytes: data.byteLength } };
  if (typeof data !== "string") return undefined;
  const media = describeMedia(data, mime, block.filename ?? source.filename);
  const isBase64 =
    media.bytes === undefined && (data === source.data || (!isRecord(value) && !/^[a-z]+:/i.test(data)));
  return { data, media: isBase64 ? { ...media, bytes: countBase64Bytes(data, 0) } : media };
}

const OWN_TYPES: ReadonlySet<unknown> = new Set([
  "function_call_result",
  "computer_call_result",
  "hosted_tool_call",
]);

/** Does it belong to the Agents SDK, and not to the Responses API, whose fields are written like_this? */
export function isAgentsItem(item: unknown): boolean {
  if (!isRecord(item)) return false;
  if (isMessage(item)) return Array.isArray(item.content) && item.content.some(isOwnBlock);
  if (item.type === "reasoning") return Array.isArray(item.content) && item.summary === undefined;
  return OWN_TYPES.has(item.type) || (typeof item.callId === "string" && item.call_id === undefined);
}

function isOwnBlock(block: unknown): boolean {
  if (!isRecord(block)) return false;
  const isOwn = block.type === "input_image" || block.type === "input_file" || block.type === "audio";
  return isOwn && (block.image ?? block.file ?? block.audio) !== undefined;
}
