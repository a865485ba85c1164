import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Leaf, Media } from "../../transcript/part.ts";
import { sameValue } from "../../transcript/same-value.ts";
import type { Mutable } from "../blocks.ts";
import { collectLeaves } from "../json-leaves.ts";
import { countBase64Bytes } from "../media.ts";

/** The API accepts both spellings of every field. */
const SNAKE = {
  functionCall: "function_call",
  functionResponse: "function_response",
  inlineData: "inline_data",
  fileData: "file_data",
  executableCode: "executable_code",
  codeExecutionResult: "code_execution_result",
  toolCall: "tool_call",
  toolResponse: "tool_response",
  thoughtSignature: "thought_signature",
  mimeType: "mime_type",
  fileUri: "file_uri",
  displayName: "display_name",
  toolType: "tool_type",
} as const;

type Field = keyof typeof SNAKE;

/** This record's spelling of the field. */
export function spell(record: JsonRecord, field: Field): string {
  return record[field] == null && record[SNAKE[field]] != null ? SNAKE[field] : field;
}

export function fieldOf(record: JsonRecord, field: Field): unknown {
  return record[field] ?? record[SNAKE[field]];
}

function recordAt(part: JsonRecord, field: Field): JsonRecord | undefined {
  const value = fieldOf(part, field);
  return isRecord(value) ? value : undefined;
}

export function isSigned(part: JsonRecord): boolean {
  return fieldOf(part, "thoughtSignature") != null;
}

export function isThought(part: unknown): part is JsonRecord & { readonly text: string } {
  return isRecord(part) && part.thought === true && typeof part.text === "string";
}

export function isText(part: unknown): part is JsonRecord & { readonly text: string } {
  return isRecord(part) && part.thought !== true && typeof part.text === "string";
}

/**
 * Without an id, a call is identified by its name, and the n-th response of that name answers the n-th call. The
 * same applies to an id that a client made from the name and the time: older versions of Gemini CLI give it only to
 * the response.
 */
export interface NamedCall {
  readonly callId: string;
  readonly name: string;
  readonly hasId: boolean;
  readonly body: JsonRecord;
}

export function readCall(part: unknown): NamedCall | undefined {
  return isRecord(part) ? readNamed(recordAt(part, "functionCall")) : undefined;
}

export function readResponse(part: unknown): NamedCall | undefined {
  return isRecord(part) ? readNamed(recordAt(part, "functionResponse")) : undefined;
}

function readNamed(body: JsonRecord | undefined): NamedCall | undefined {
  if (!body || typeof body.name !== "string") return undefined;
  const hasId = typeof body.id === "string" && body.id !== "" && !isMadeOf(body.name, body.id);
  return { callId: hasId ? String(body.id) : body.name, name: body.name, hasId, body };
}

/** `read_file-1768537298469-99e7ccfcd25a28`, `read_file_1771890504010_2` */
function isMadeOf(name: string, id: string): boolean {
  return id.startsWith(name) && TIME.test(id.slice(name.length, name.length + 14));
}

const TIME = /^[-_]\d{13}$/;

/** A tool that the provider runs: its input and its output are parts of the model's message. */
export function readServerCall(
  part: JsonRecord,
): { readonly tool: string; readonly body: JsonRecord } | undefined {
  const code = recordAt(part, "executableCode");
  if (code) return { tool: "code_execution", body: code };
  const call = recordAt(part, "toolCall");
  if (!call) return undefined;
  const tool = fieldOf(call, "toolType");
  return { tool: typeof tool === "string" ? tool : "server_tool", body: call };
}

/** Data in the message or behind a uri, and its description. */
export function readFile(part: unknown): { readonly data: string; readonly media: Media } | undefined {
  if (!isRecord(part)) return undefined;
  const inline = recordAt(part, "inlineData");
  const file = inline ?? recordAt(part, "fileData");
  const data = inline ? inline.data : file && fieldOf(file, "fileUri");
  if (!file || typeof data !== "string") return undefined;
  const mime = fieldOf(file, "mimeType");
  const name = fieldOf(file, "displayName");
  const media: Mutable<Media> = { mime: typeof mime === "string" ? mime : "application/octet-stream" };
  if (typeof name === "string") media.name = name;
  if (inline) media.bytes = countBase64Bytes(data, 0);
  return { data, media };
}

/** The field of a response that contains only a text, as most tools return it: `{ output }`, or `{ error }`. */
export function findOnlyText({ response }: JsonRecord): "output" | "error" | undefined {
  if (!isRecord(response)) return undefined;
  const [key, ...others] = Object.keys(response);
  if (others.length > 0 || (key !== "output" && key !== "error")) return undefined;
  return typeof response[key] === "string" ? key : undefined;
}

/** The texts of a response, and the whole response if it is more than a text. */
export function readResponseTexts(body: JsonRecord): {
  readonly leaves: readonly Leaf[];
  readonly value?: unknown;
} {
  const { response } = body;
  const only = findOnlyText(body);
  if (only && isRecord(response)) return { leaves: [{ id: "output", text: String(response[only]) }] };
  return { leaves: collectLeaves(response, "output"), value: response ?? null };
}

export function hasFailed({ response }: JsonRecord): boolean {
  return isRecord(response) && response.error != null;
}

/**
 * Gemini CLI's `--resume` repeats every response in one message. By index: the earlier part that each one repeats.
 *
 *   response a, response b, response a, response b  ->  2: 0, 3: 1
 */
export function findDoubles(parts: readonly unknown[]): ReadonlyMap<number, number> {
  const first = new Map<string, number>();
  const doubles = new Map<number, number>();
  for (let index = 0; index < parts.length; index++) {
    const answer = readResponse(parts[index]);
    const id = answer?.body.id;
    if (!answer || typeof id !== "string") continue;
    const before = first.get(id);
    if (before === undefined) first.set(id, index);
    else if (sameValue(readResponse(parts[before])?.body, answer.body)) doubles.set(index, before);
  }
  return doubles;
}

const DATA_FIELDS = [
  "functionCall",
  "functionResponse",
  "inlineData",
  "fileData",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
] as const;

/**
 * Does it have a field that only this API's parts have? A `text` counts, unless the part shows signs of another
 * format.
 */
export function isOwnPart(part: unknown): boolean {
  if (!isRecord(part) || part.type !== undefined || part.kind !== undefined) return false;
  return typeof part.text === "string" || DATA_FIELDS.some((field) => isRecord(fieldOf(part, field)));
}
