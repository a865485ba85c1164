import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Leaf, Media, ResultStatus } from "../../transcript/part.ts";
import { collectLeaves } from "../json-leaves.ts";
import { readOutputFile } from "./files.ts";
import { isReasoningSignedIn, isSignedIn, listProviders } from "./provider-options.ts";

/** A call's options may also be in the field that responses use. */
const OPTIONS = ["providerOptions", "providerMetadata"] as const;

export function isReasoningSigned(part: JsonRecord): boolean {
  return OPTIONS.some((field) => isReasoningSignedIn(part[field]));
}

/** A call that carries a provider's signature. */
export function isCallSigned(part: JsonRecord): boolean {
  return OPTIONS.some((field) => isSignedIn(part[field]));
}

/** The cache marks of Anthropic, Bedrock and OpenAI. */
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

/** Requests or grants permission to run a call, which it names by an id. */
export function isApproval(part: unknown): boolean {
  return isRecord(part) && (part.type === "tool-approval-request" || part.type === "tool-approval-response");
}

/** An assistant message needs at least one such part to be sent. */
export function isContent(part: unknown): boolean {
  return isRecord(part) && part.type !== "reasoning";
}

interface Output {
  readonly status: ResultStatus;
  readonly leaves: readonly Leaf[];
  readonly media: readonly Media[];
  /** The output if it is JSON. */
  readonly value?: unknown;
}

/** Strings of a JSON output with a fixed set of values in OpenAI's own tools: they must not change. */
const NAMING = /\/(?:type|status)$/;

/** The output of a tool: `{ type, value }`. */
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
    if (item.type === "text" && typeof item.text === "string")
      leaves.push({ id: `content/${index}`, text: item.text });
    const file = readOutputFile(item);
    if (file) media.push(file);
  }
  return { leaves, media };
}
