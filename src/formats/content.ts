import { isRecord, type JsonRecord } from "../basics/json.ts";
import type { DecodedMessage } from "../transcript/message.ts";
import type { Part, Role } from "../transcript/part.ts";
import { decodeOpaque, openStep, type RewrittenBlock, rewriteBlocks, setText } from "./blocks.ts";
import type { MessageChanges } from "./format.ts";

/*
 * Messages whose `content` is a string (slot `content`), or a list of blocks whose slots are their indices. A
 * client may turn a string into a list of one text block and back: either slot then means it.
 */

export function decodeContent(
  message: unknown,
  readRole: (role: string) => Role,
  decodeBlock: (block: unknown, slot: string, role: Role) => Part,
): DecodedMessage {
  if (!isRecord(message) || typeof message.role !== "string") return decodeOpaque(message, "custom");
  const role = readRole(message.role);
  const { content } = message;
  const parts: Part[] = [];
  if (typeof content === "string") {
    parts.push({ kind: "text", slot: "content", role, leaves: [{ id: "text", text: content }] });
  } else if (Array.isArray(content)) {
    for (let index = 0; index < content.length; index++) {
      parts.push(decodeBlock(content[index], String(index), role));
    }
  } else {
    return decodeOpaque(message, role);
  }
  if (role === "assistant") openStep(parts);
  return role === "custom" ? { role, customType: message.role, parts } : { role, parts };
}

export function rewriteContent(
  message: JsonRecord,
  changes: MessageChanges,
  rewriteList: (content: readonly unknown[]) => unknown,
): unknown {
  const { content } = message;
  if (typeof content === "string") {
    if (changes.dropped.has("content") || changes.dropped.has("0")) return undefined;
    const texts = changes.leaves.get("content") ?? changes.leaves.get("0");
    return setText(message, "content", texts?.get("text")).block;
  }
  return Array.isArray(content) ? rewriteList(content) : message;
}

/** The list with changed blocks; see `rewriteBlocks`. */
export function rewriteList(
  content: readonly unknown[],
  changes: MessageChanges,
  rewrite: (block: JsonRecord, texts: ReadonlyMap<string, string>) => RewrittenBlock,
  stands: (kept: readonly unknown[]) => boolean,
): readonly unknown[] {
  const rewriteAt = (block: unknown, index: number): RewrittenBlock | undefined => {
    const slot = String(index);
    const other = content.length === 1 ? "content" : slot;
    if (changes.dropped.has(slot) || changes.dropped.has(other)) return undefined;
    const texts = changes.leaves.get(slot) ?? changes.leaves.get(other);
    return texts && isRecord(block) ? rewrite(block, texts) : { block };
  };
  return rewriteBlocks(content, rewriteAt, stands);
}
