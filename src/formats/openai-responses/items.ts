import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { nameInNamespace } from "../../tool-kinds/name-in-namespace.ts";
import type { Leaf, Media } from "../../transcript/part.ts";
import { readArguments } from "../arguments.ts";
import { collectLeaves } from "../json-leaves.ts";
import { countBase64Bytes, describeMedia } from "../media.ts";

/** Says that the cache ends after a block. */
export const CACHE_MARK = "prompt_cache_breakpoint";

/** A call that the client runs. `leaves` are its strings with free text; the API's schema fixes the others. */
interface ClientCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly leaves: readonly Leaf[];
}

/** The field of a call's input in its item. */
export const INPUT_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ["function_call", "arguments"],
  ["custom_tool_call", "input"],
  ["local_shell_call", "action"],
  ["shell_call", "action"],
  ["apply_patch_call", "operation"],
  ["computer_call", "action"],
]);

/** The strings of these inputs that may change. For types not listed (functions and custom tools), all may. */
const FREE_TEXT: ReadonlyMap<unknown, RegExp> = new Map([
  ["local_shell_call", /^input\/command\//],
  ["shell_call", /^input\/commands\//],
  ["apply_patch_call", /^input\/diff$/],
  ["computer_call", /^$/],
]);

export function readCall(item: JsonRecord): ClientCall | undefined {
  const { type, call_id: callId } = item;
  const field = INPUT_FIELDS.get(type);
  if (field === undefined || typeof type !== "string" || typeof callId !== "string") return undefined;
  const isNamed = type === "function_call" || type === "custom_tool_call";
  if (isNamed && typeof item.name !== "string") return undefined;
  const tool = isNamed ? nameInNamespace(item.namespace, String(item.name)) : type.slice(0, -"_call".length);
  const value = item[field];
  const isText = type === "function_call" && typeof value === "string";
  const { input, leaves: all } = isText
    ? readArguments(value)
    : { input: value, leaves: collectLeaves(value, "input") };
  const free = FREE_TEXT.get(type);
  return { callId, tool, input, leaves: free ? all.filter(({ id }) => free.test(id)) : all };
}

/** Run by the provider: call and result are one item. */
const SERVER_CALLS: ReadonlySet<unknown> = new Set([
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "mcp_call",
]);

export function isServerCall(item: JsonRecord): boolean {
  return SERVER_CALLS.has(item.type);
}

const OUTPUTS: ReadonlySet<unknown> = new Set([
  "function_call_output",
  "custom_tool_call_output",
  "local_shell_call_output",
  "shell_call_output",
  "apply_patch_call_output",
  "computer_call_output",
]);

/** The id of the call that this item answers. In the published schema, a local shell's output has only an `id`. */
export function readOutputId(item: JsonRecord): string | undefined {
  if (!OUTPUTS.has(item.type)) return undefined;
  const id = item.type === "local_shell_call_output" ? (item.call_id ?? item.id) : item.call_id;
  return typeof id === "string" ? id : undefined;
}

/** Items of the host, although their types look like the model's. */
const INPUTS: ReadonlySet<unknown> = new Set(["compaction_trigger", "additional_tools"]);
/** Outputs of the provider itself. */
const SERVER_OUTPUTS: ReadonlySet<unknown> = new Set(["tool_search_output", "program_output"]);

/** Does this item belong to a response? References do, and unknown types that are not an output. */
export function isModelItem(item: JsonRecord): boolean {
  const { type } = item;
  if (isReference(item)) return true;
  if (type == null || type === "message") return item.role === "assistant";
  if (typeof type !== "string" || INPUTS.has(type)) return false;
  if (SERVER_OUTPUTS.has(type)) return item.execution !== "client";
  return !/_(?:output|response)$/.test(type);
}

/** A reference to an item that the server has stored. */
export function isReference(item: JsonRecord): boolean {
  const isBare = item.type == null && typeof item.id === "string";
  return (
    item.type === "item_reference" ||
    (isBare && Object.keys(item).every((key) => key === "id" || key === "type"))
  );
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

/** Images, files and sounds: their data, url or id, and their description. */
export function readFile(block: unknown): { readonly data: string; readonly media: Media } | undefined {
  if (!isRecord(block)) return undefined;
  switch (block.type) {
    case "input_image":
    case "computer_screenshot": {
      const data = block.image_url ?? block.file_id;
      return typeof data === "string" ? { data, media: describeMedia(data, "image/*") } : undefined;
    }
    case "input_file": {
      const data = block.file_data ?? block.file_url ?? block.file_id;
      if (typeof data !== "string") return undefined;
      return { data, media: describeMedia(data, "application/octet-stream", block.filename) };
    }
    case "input_audio": {
      const audio = isRecord(block.input_audio) ? block.input_audio : {};
      if (typeof audio.data !== "string") return undefined;
      const mime = `audio/${typeof audio.format === "string" ? audio.format : "*"}`;
      return { data: audio.data, media: { mime, bytes: countBase64Bytes(audio.data, 0) } };
    }
    default:
      return undefined;
  }
}

/** The lists of a reasoning item that contain its texts. */
export const REASONING_LISTS = ["summary", "content"] as const;

/** Reasoning that is encrypted or has an id must not change; other reasoning may. */
export function isReasoningSigned(item: JsonRecord): boolean {
  return item.encrypted_content != null || item.id != null;
}
