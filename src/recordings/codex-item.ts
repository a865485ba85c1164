import { isRecord, type JsonRecord } from "../basics/json.ts";
import { writeJson } from "../basics/write-json.ts";
import { nameInNamespace } from "../tool-kinds/name-in-namespace.ts";
import { isString, listAt, objectAt, stringAt } from "./json.ts";
import type { ChatBlock, ChatContent } from "./to-chat.ts";

/**
 * The role of a response item in a chat: part of a model response, the result of a call, or a message to the model.
 */
export type ChatItem =
  /** `block` is missing where the model's part is hidden: encrypted reasoning, a search that the provider ran. */
  | { readonly kind: "response"; readonly block?: ChatBlock }
  | { readonly kind: "result"; readonly callId: string; readonly content: ChatContent }
  | { readonly kind: "input"; readonly message: JsonRecord };

/** Reads one `response_item`. `undefined`: an item that no model reads or writes. */
export function readCodexItem(item: JsonRecord): ChatItem | undefined {
  const callId = stringAt(item, "call_id") ?? stringAt(item, "id") ?? "";
  switch (item.type) {
    case "message":
      return readMessage(item);
    case "reasoning":
      return response(readReasoning(item));
    case "function_call": {
      const name = nameInNamespace(item.namespace, stringAt(item, "name") ?? "");
      return call(callId, name, stringAt(item, "arguments") ?? "{}");
    }
    case "custom_tool_call":
      return call(callId, stringAt(item, "name") ?? "", writeJson({ input: item.input }));
    case "local_shell_call":
      return call(callId, "local_shell", writeJson(objectAt(item, "action") ?? {}));
    case "tool_search_call":
      return call(callId, "tool_search", writeJson(objectAt(item, "arguments") ?? {}));
    case "web_search_call":
    case "image_generation_call":
      return { kind: "response" };
    case "function_call_output":
    case "custom_tool_call_output":
    case "local_shell_call_output":
      return { kind: "result", callId, content: readOutput(item.output) };
    case "tool_search_output":
      return { kind: "result", callId, content: writeJson(item.tools ?? []) };
    default:
      return undefined;
  }
}

function readMessage(item: JsonRecord): ChatItem | undefined {
  const role = stringAt(item, "role");
  const content = readContent(listAt(item, "content"));
  if (content.length === 0) return undefined;
  if (role === "user" || role === "developer" || role === "system")
    return { kind: "input", message: { role, content } };
  const text = typeof content === "string" ? content : textOf(content);
  return response(text === "" ? undefined : { kind: "text", text });
}

/** The reasoning's summary, or its content if the model shows it. */
function readReasoning(item: JsonRecord): ChatBlock | undefined {
  const text = textOf(listAt(item, "summary")) || textOf(listAt(item, "content"));
  return text === "" ? undefined : { kind: "reasoning", text };
}

/** A string stays as it is; older versions wrap it in an object; images come as a list. */
function readOutput(output: unknown): ChatContent {
  if (Array.isArray(output)) return readContent(output);
  if (isRecord(output)) return stringAt(output, "content") ?? writeJson(output);
  return isString(output) ? output : "";
}

/** One text alone stays a string. */
function readContent(blocks: readonly unknown[]): ChatContent {
  const parts = blocks.filter(isRecord).flatMap(readPart);
  const only = parts.length === 1 ? stringAt(parts[0], "text") : undefined;
  return only ?? parts;
}

function readPart(block: JsonRecord): readonly JsonRecord[] {
  const text = stringAt(block, "text");
  if (text !== undefined) return text === "" ? [] : [{ type: "text", text }];
  const url = stringAt(block, "image_url");
  return url === undefined ? [] : [{ type: "image_url", image_url: { url } }];
}

function textOf(blocks: readonly unknown[]): string {
  const texts = blocks.filter(isRecord).map((block) => stringAt(block, "text"));
  return texts.filter(isString).join("\n\n");
}

function call(id: string, name: string, args: string): ChatItem {
  return response({ kind: "call", id, name, arguments: args });
}

function response(block: ChatBlock | undefined): ChatItem {
  return block ? { kind: "response", block } : { kind: "response" };
}
