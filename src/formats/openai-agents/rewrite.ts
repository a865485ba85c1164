import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { rewriteArguments } from "../arguments.ts";
import {
  hasChanges,
  isNotEmpty,
  type RewrittenBlock,
  rewriteBlocks,
  setField,
  setText,
  WHOLE_MESSAGE,
} from "../blocks.ts";
import { rewriteContent, rewriteList } from "../content.ts";
import type { MessageChanges } from "../format.ts";
import { replaceLeaves } from "../json-leaves.ts";
import {
  CALLS,
  isMessage,
  isReasoningSigned,
  REASONING_LISTS,
  readCall,
  readFile,
  readOutputId,
  readTextField,
} from "./items.ts";

type Texts = ReadonlyMap<string, string>;

/** `providerData` stays: the SDK adds it next to the fields that it knows, and never replaces them. */
export function rewriteOpenAiAgents(item: unknown, changes: MessageChanges): unknown {
  if (changes.dropped.has(WHOLE_MESSAGE) || (isRecord(item) && changes.dropped.has("item"))) return undefined;
  if (!hasChanges(changes) || !isRecord(item)) return item;
  if (isMessage(item)) return rewriteMessage(item, changes);
  const texts = changes.leaves.get("item");
  if (texts === undefined) return item;
  if (item.type === "reasoning") return rewriteReasoning(item, texts);
  if (readOutputId(item) !== undefined) return rewriteOutput(item, texts);
  return readCall(item) ? rewriteCall(item, texts) : item;
}

function rewriteMessage(item: JsonRecord, changes: MessageChanges): unknown {
  const rewrite = (block: JsonRecord, texts: Texts) => rewriteBlock(block, texts, "text");
  return rewriteContent(item, changes, (content) => {
    const next = rewriteList(content, changes, rewrite, isNotEmpty);
    return isNotEmpty(next) || content.length === 0 ? setField(item, "content", next) : undefined;
  });
}

function rewriteBlock(block: JsonRecord, texts: Texts, leaf: string): RewrittenBlock {
  const { promptCacheBreakpoint: mark } = block;
  const field = readTextField(block);
  if (field !== undefined) {
    const { block: next, emptied } = setText(block, field, texts.get(leaf));
    return { block: next, emptied: emptied === true && mark == null };
  }
  const data = texts.get("data");
  const file = readFile(block);
  if (file?.data === undefined || data === undefined || data === file.data) return { block };
  return setText({ type: "input_text", ...(mark != null && { promptCacheBreakpoint: mark }) }, "text", data);
}

function rewriteReasoning(item: JsonRecord, texts: Texts): JsonRecord {
  if (isReasoningSigned(item)) return item;
  return REASONING_LISTS.reduce((next, field) => {
    const list = item[field];
    if (!Array.isArray(list)) return next;
    const rewrite = (block: unknown, index: number): RewrittenBlock =>
      isRecord(block) && typeof block.text === "string"
        ? { block: setText(block, "text", texts.get(`${field}/${index}`)).block }
        : { block };
    return setField(next, field, rewriteBlocks(list, rewrite, isNotEmpty));
  }, item);
}

function rewriteCall(item: JsonRecord, texts: Texts): JsonRecord {
  const call = CALLS.get(item.type);
  if (!call || item.type === "computer_call") return item;
  const value = item[call.field];
  if (item.type !== "function_call" || typeof value !== "string")
    return setField(item, call.field, replaceLeaves(value, "input", texts));
  return setField(item, call.field, rewriteArguments(value, texts));
}

function rewriteOutput(item: JsonRecord, texts: Texts): JsonRecord {
  const { output } = item;
  if (typeof output === "string") return setText(item, "output", texts.get("output")).block;
  const rewrite = (block: unknown, index: number): RewrittenBlock => {
    if (!isRecord(block)) return { block };
    if (item.type !== "shell_call_output") return rewriteBlock(block, texts, `content/${index}`);
    const streams = ["stdout", "stderr"].reduce((next, field) => {
      const text = texts.get(`content/${index}/${field}`);
      return typeof block[field] === "string" ? setText(next, field, text).block : next;
    }, block);
    return { block: streams };
  };
  if (!Array.isArray(output)) return setField(item, "output", rewrite(output, 0).block);
  return setField(item, "output", rewriteBlocks(output, rewrite, isNotEmpty));
}
