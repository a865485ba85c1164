import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { EMPTIED } from "../../transcript/part.ts";
import {
  hasChanges,
  isNotEmpty,
  type RewrittenBlock,
  rewriteBlocks,
  setField,
  setText,
  WHOLE_MESSAGE,
} from "../blocks.ts";
import type { MessageChanges } from "../format.ts";
import { replaceLeaves } from "../json-leaves.ts";
import {
  findDoubles,
  findOnlyText,
  isSigned,
  isText,
  isThought,
  readCall,
  readFile,
  readResponse,
  readResponseTexts,
  spell,
} from "./parts.ts";

type Texts = ReadonlyMap<string, string>;

export function rewriteGemini(message: unknown, changes: MessageChanges): unknown {
  if (changes.dropped.has(WHOLE_MESSAGE)) return undefined;
  if (!hasChanges(changes) || !isRecord(message) || !Array.isArray(message.parts)) return message;
  const parts: readonly unknown[] = message.parts;
  const doubles = findDoubles(parts);
  const rewrite = (part: unknown, index: number): RewrittenBlock | undefined => {
    const slot = String(doubles.get(index) ?? index);
    if (changes.dropped.has(slot)) return undefined;
    const texts = changes.leaves.get(slot);
    return texts && isRecord(part) ? rewritePart(part, texts) : { block: part };
  };
  const rewritten = rewriteBlocks(parts, rewrite, isSendable);
  if (rewritten === parts) return message;
  const kept = changes.dropped.size > 0 ? withoutLastThoughts(rewritten, parts) : rewritten;
  return isNotEmpty(kept) ? { ...message, parts: kept } : undefined;
}

function isSendable(parts: readonly unknown[]): boolean {
  return parts.some((part) => !isThought(part));
}

/**
 * The content after the last thoughts was removed, so they are removed too, unless they were the last part before.
 */
function withoutLastThoughts(kept: readonly unknown[], before: readonly unknown[]): readonly unknown[] {
  if (isThought(before.at(-1))) return kept;
  return kept.slice(0, kept.findLastIndex((part) => !isThought(part)) + 1);
}

function rewritePart(part: JsonRecord, texts: Texts): RewrittenBlock {
  if (isThought(part))
    return { block: isSigned(part) ? part : setText(part, "text", texts.get("text")).block };
  const call = readCall(part);
  if (call) return { block: isSigned(part) ? part : rewriteCall(part, call.body, texts) };
  const response = readResponse(part);
  if (response)
    return { block: setField(part, spell(part, "functionResponse"), rewriteResponse(response.body, texts)) };
  if (isText(part)) return isSigned(part) ? { block: part } : setText(part, "text", texts.get("text"));
  const file = isSigned(part) ? undefined : readFile(part);
  const data = texts.get("data");
  return file && data !== undefined && data !== file.data ? setText({}, "text", data) : { block: part };
}

function rewriteCall(part: JsonRecord, body: JsonRecord, texts: Texts): JsonRecord {
  const args = replaceLeaves(body.args, "input", texts);
  return setField(part, spell(part, "functionCall"), setField(body, "args", args));
}

function rewriteResponse(body: JsonRecord, texts: Texts): JsonRecord {
  const { response } = body;
  const only = findOnlyText(body);
  if (only && isRecord(response))
    return setField(body, "response", setText(response, only, texts.get("output")).block);
  const changed = readResponseTexts(body).leaves.flatMap(({ id, text: old }) => {
    const text = texts.get(id);
    return text === undefined || text === old ? [] : [[id, text || EMPTIED] as const];
  });
  return setField(body, "response", replaceLeaves(response, "output", new Map(changed)));
}
