import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { EMPTIED } from "../../transcript/part.ts";
import {
  dropTrailing,
  hasChanges,
  isNotEmpty,
  isTextBlock,
  type RewrittenBlock,
  rewriteBlocks,
  setField,
  setText,
  WHOLE_MESSAGE,
} from "../blocks.ts";
import { rewriteContent, rewriteList } from "../content.ts";
import type { MessageChanges } from "../format.ts";
import { replaceLeaves } from "../json-leaves.ts";
import { readFile } from "./files.ts";
import {
  hasCacheMark,
  isCallSigned,
  isContent,
  isReasoningSigned,
  isToolCall,
  isToolResult,
  readOutput,
} from "./parts.ts";
import { omitItemId } from "./provider-options.ts";

type Texts = ReadonlyMap<string, string>;

export function rewriteAiSdk(message: unknown, changes: MessageChanges): unknown {
  if (changes.dropped.has(WHOLE_MESSAGE)) return undefined;
  if (!hasChanges(changes) || !isRecord(message)) return message;
  const { role } = message;
  return rewriteContent(message, changes, (content) => {
    const rewritten = rewriteList(
      content,
      changes,
      (part, texts) => rewritePart(part, role, texts),
      (kept) => kept.some(isContent),
    );
    if (rewritten === content) return message;
    const kept = changes.dropped.size > 0 ? dropTrailing(rewritten, "reasoning", isContent) : rewritten;
    if (!isNotEmpty(kept)) return undefined;
    return { ...message, content: role === "assistant" ? kept.map(loseItemId) : kept };
  });
}

/**
 * Parts with an `itemId` are sent as references to data that OpenAI has stored, and OpenAI needs reasoning and the
 * item after it both as references or neither. So once a message has changed, all of it is sent in full.
 */
function loseItemId(part: unknown): unknown {
  return isRecord(part) ? omitItemId(omitItemId(part, "providerOptions"), "providerMetadata") : part;
}

function rewritePart(part: JsonRecord, role: unknown, texts: Texts): RewrittenBlock {
  if (isTextBlock(part)) return setPartText(part, texts.get("text"));
  if (part.type === "reasoning" && typeof part.text === "string")
    return { block: isReasoningSigned(part) ? part : setText(part, "text", texts.get("text")).block };
  if (isToolCall(part)) {
    const isFixed = part.providerExecuted === true || isCallSigned(part);
    return { block: isFixed ? part : setField(part, "input", replaceLeaves(part.input, "input", texts)) };
  }
  if (isToolResult(part)) return { block: role === "tool" ? rewriteResult(part, texts) : part };
  const data = texts.get("data");
  const file = readFile(part);
  if (file?.data === undefined || data === undefined || data === file.data) return { block: part };
  const { providerOptions } = part;
  return setPartText({ type: "text", ...(providerOptions !== undefined && { providerOptions }) }, data);
}

function setPartText(part: JsonRecord, text: string | undefined): RewrittenBlock {
  const { block, emptied } = setText(part, "text", text);
  return { block, emptied: emptied === true && !hasCacheMark(part) };
}

function rewriteResult(part: JsonRecord, texts: Texts): JsonRecord {
  const { output } = part;
  const read = readOutput(output);
  if (!isRecord(output) || !read) return part;
  const { type, value } = output;
  if (type === "content" && Array.isArray(value)) {
    const rewrite = (item: unknown, index: number): RewrittenBlock =>
      isTextBlock(item) ? setPartText(item, texts.get(`content/${index}`)) : { block: item };
    return setField(part, "output", setField(output, "value", rewriteBlocks(value, rewrite, isNotEmpty)));
  }
  const changed = read.leaves.flatMap((leaf) => {
    const text = texts.get(leaf.id);
    return text === undefined || text === leaf.text ? [] : [[leaf.id, text || EMPTIED] as const];
  });
  const next = replaceLeaves(value, "output", new Map(changed));
  return setField(part, "output", setField(output, "value", next));
}
