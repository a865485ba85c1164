import { isRecord, type JsonRecord } from "../../basics/json.ts";
import {
  hasChanges,
  isNotEmpty,
  isTextBlock,
  type RewrittenBlock,
  rewriteBlocks,
  setField,
  setText,
  toTextBlock,
  WHOLE_MESSAGE,
} from "../blocks.ts";
import { rewriteContent, rewriteList } from "../content.ts";
import type { MessageChanges } from "../format.ts";
import { replaceLeaves } from "../json-leaves.ts";
import { isReasoning, isSearchResult, isSigned, readSource } from "./blocks.ts";

type Texts = ReadonlyMap<string, string>;

export function rewriteAnthropicMessages(message: unknown, changes: MessageChanges): unknown {
  if (changes.dropped.has(WHOLE_MESSAGE)) return undefined;
  if (!hasChanges(changes) || !isRecord(message)) return message;
  return rewriteContent(message, changes, (content) => {
    const next = rewriteList(content, changes, rewriteBlock, endsWell);
    if (next === content) return message;
    const kept = endsWell(content)
      ? next.slice(0, next.findLastIndex((block) => !isReasoning(block)) + 1)
      : next;
    return isNotEmpty(kept) ? { ...message, content: kept } : undefined;
  });
}

/** A message must not end with thinking. */
function endsWell(blocks: readonly unknown[]): boolean {
  return isNotEmpty(blocks) && !isReasoning(blocks.at(-1));
}

function rewriteBlock(block: JsonRecord, texts: Texts): RewrittenBlock {
  switch (block.type) {
    case "text":
      return setText(block, "text", texts.get("text"));
    case "thinking":
      return { block: isSigned(block) ? block : setText(block, "thinking", texts.get("text")).block };
    case "tool_use":
      return { block: setField(block, "input", replaceLeaves(block.input, "input", texts)) };
    case "tool_result":
      return { block: rewriteResult(block, texts) };
    case "image":
    case "document": {
      const data = texts.get("data");
      const source = readSource(block);
      return source && data !== undefined && data !== source.data ? toTextBlock(block, data) : { block };
    }
    default:
      return { block };
  }
}

function rewriteResult(block: JsonRecord, texts: Texts): unknown {
  const { content } = block;
  if (typeof content === "string") return setText(block, "content", texts.get("output")).block;
  if (!Array.isArray(content)) return block;
  const rewrite = (inner: unknown, index: number): RewrittenBlock => {
    if (isTextBlock(inner)) return setText(inner, "text", texts.get(`content/${index}`));
    return { block: isSearchResult(inner) ? rewriteFound(inner, index, texts) : inner };
  };
  return setField(block, "content", rewriteBlocks(content, rewrite, isNotEmpty));
}

function rewriteFound(
  block: JsonRecord & { readonly content: readonly unknown[] },
  index: number,
  texts: Texts,
) {
  const rewrite = (found: unknown, at: number): RewrittenBlock =>
    isTextBlock(found) ? setText(found, "text", texts.get(`content/${index}/${at}`)) : { block: found };
  return setField(block, "content", rewriteBlocks(block.content, rewrite, isNotEmpty));
}
