import { isRecord, type JsonRecord } from "../../basics/json.ts";
import {
  dropTrailing,
  hasChanges,
  isNotEmpty,
  isTextBlock,
  omitField,
  type RewrittenBlock,
  rewriteBlocks,
  setField,
  setText,
  WHOLE_MESSAGE,
} from "../blocks.ts";
import { rewriteContent, rewriteList } from "../content.ts";
import type { MessageChanges } from "../format.ts";
import { replaceLeaves } from "../json-leaves.ts";
import { isContent, isImage, isSent, isSigned, isThinking, isToolCall, TEXT_FIELDS } from "./blocks.ts";
import { isEntry, readEntry, writeEntry } from "./entry.ts";

type Texts = ReadonlyMap<string, string>;

export function rewritePi(raw: unknown, changes: MessageChanges): unknown {
  if (!isEntry(raw)) return rewriteMessage(raw, changes);
  const message = readEntry(raw);
  if (!message) return changes.dropped.has("content") ? undefined : raw;
  const rewritten = rewriteMessage(message, changes);
  if (rewritten === message) return raw;
  return isRecord(rewritten) ? writeEntry(raw, rewritten) : undefined;
}

function rewriteMessage(message: unknown, changes: MessageChanges): unknown {
  if (changes.dropped.has(WHOLE_MESSAGE)) return undefined;
  if (!hasChanges(changes) || !isRecord(message)) return message;
  if (TEXT_FIELDS.has(message.role)) return rewriteOwnText(message, changes);
  if (message.role === "toolResult") return rewriteResult(message, changes);
  return rewriteContent(message, changes, (content) => rewriteParts(message, content, changes));
}

function rewriteParts(message: JsonRecord, content: readonly unknown[], changes: MessageChanges): unknown {
  const rewritten = rewriteList(
    content,
    changes,
    (block, texts) => (isSent(message) ? rewriteBlock(block, message, texts) : { block }),
    (kept) => kept.some(isContent),
  );
  if (rewritten === content) return message;
  const kept = changes.dropped.size > 0 ? dropTrailing(rewritten, "thinking", isContent) : rewritten;
  if (!isNotEmpty(kept)) return undefined;
  const hasLost = content.some(isThinking) && !kept.some(isThinking);
  return { ...message, content: hasLost ? kept.map(loseId) : kept };
}

/** The Responses API refuses a text with an id without its reasoning, so the id is removed. */
function loseId(block: unknown): unknown {
  return isTextBlock(block) ? omitField(block, "textSignature") : block;
}

function rewriteBlock(block: JsonRecord, message: JsonRecord, texts: Texts): RewrittenBlock {
  if (isTextBlock(block)) return setText(block, "text", texts.get("text"));
  if (isThinking(block))
    return { block: isSigned(block, message) ? block : setText(block, "thinking", texts.get("text")).block };
  if (isToolCall(block)) {
    const input = block.arguments;
    const isFixed = block.thoughtSignature != null;
    return {
      block: isFixed ? block : setField(block, "arguments", replaceLeaves(input, "input", texts)),
    };
  }
  const data = texts.get("data");
  if (!isImage(block) || data === undefined || data === block.data) return { block };
  return setText({ type: "text" }, "text", data);
}

function rewriteResult(message: JsonRecord, changes: MessageChanges): unknown {
  if (changes.dropped.has("content")) return undefined;
  const texts = changes.leaves.get("content");
  const { content } = message;
  if (texts === undefined || !Array.isArray(content)) return message;
  const textAt = (index: number) => texts.get(`content/${index}`);
  const rewrite = (block: unknown, index: number): RewrittenBlock =>
    isTextBlock(block) ? setText(block, "text", textAt(index)) : { block };
  // A ref tag is only added at the end of the text. If the new text does not begin with the old one, it was cut.
  const isCut = content.some(
    (block, index) => isTextBlock(block) && textAt(index)?.startsWith(block.text) === false,
  );
  const rewritten = setField(message, "content", rewriteBlocks(content, rewrite, isNotEmpty));
  return isCut ? { ...rewritten, prunedAt: stampOf(message) } : rewritten;
}

/**
 * oh-my-pi marks pruned results, and leaves those alone. Uses the result's own time: a request must not depend on a
 * clock, and the mark is the same after a restart. pi ignores it; neither sends it. A pruned session file gets no
 * mark: only strings change there, so that its restore file gives every byte back, whatever wrote the file
 * (`recordings/prune-file.ts`).
 */
function stampOf({ timestamp }: JsonRecord): number {
  return typeof timestamp === "number" ? timestamp : 0;
}

function rewriteOwnText(message: JsonRecord, changes: MessageChanges): unknown {
  if (changes.dropped.has("text")) return undefined;
  const texts = changes.leaves.get("text");
  if (texts === undefined || !isSent(message)) return message;
  const fields = TEXT_FIELDS.get(message.role) ?? [];
  return fields.reduce(
    (next, field) =>
      typeof message[field] === "string" ? setText(next, field, texts.get(field)).block : next,
    message,
  );
}
