import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { omitItemId } from "../ai-sdk/provider-options.ts";
import {
  blockIndexOf,
  dropTrailing,
  hasChanges,
  type RewrittenBlock,
  rewriteBlocks,
  setField,
  setText,
  WHOLE_MESSAGE,
} from "../blocks.ts";
import type { MessageChanges } from "../format.ts";
import { replaceLeaves } from "../json-leaves.ts";
import {
  findSentText,
  isContent,
  isMessage,
  isReasoningSigned,
  isSentByUser,
  isServerTool,
  isSigned,
  isTool,
  isUnknown,
  type OpenCodeMessage,
  type ToolPart,
} from "./parts.ts";

type Texts = ReadonlyMap<string, string>;

export function rewriteOpenCode(message: unknown, changes: MessageChanges): unknown {
  if (changes.dropped.has(WHOLE_MESSAGE)) return undefined;
  if (!hasChanges(changes) || !isMessage(message)) return message;
  const results = listResults(changes);
  if (results !== "more") return rewriteResults(message, results);
  const { info, parts } = message;
  const rewrite = (part: unknown, index: number): RewrittenBlock | undefined => {
    if (isTool(part)) return rewriteTool(part, index, changes);
    const slot = String(index);
    if (changes.dropped.has(slot)) return undefined;
    const texts = changes.leaves.get(slot);
    return texts && isRecord(part) ? rewritePart(part, info.role === "assistant", texts) : { block: part };
  };
  const rewritten = rewriteBlocks(parts, rewrite, (kept) => kept.some(isContent));
  if (rewritten === parts) return message;
  const kept = changes.dropped.size > 0 ? dropTrailing(rewritten, "reasoning", isContent) : rewritten;
  if (!kept.some((part) => isContent(part) || isUnknown(part)) && parts.some(isContent)) return undefined;
  return { ...message, parts: kept.map(loseItemId) };
}

/** A fast path for the most common changes, new texts of results: they remove no part, and no item id. */
function rewriteResults(message: OpenCodeMessage, results: readonly ResultText[]): unknown {
  const parts = message.parts.slice();
  let isSame = true;
  for (let i = 0; i < results.length; i++) {
    const { index, text } = results[i] as ResultText;
    const part = parts[index];
    if (!isTool(part) || isServerTool(part)) continue;
    const state = setSentText(part.state, text);
    if (state === part.state) continue;
    parts[index] = { ...part, state };
    isSame = false;
  }
  return isSame ? message : { ...message, parts };
}

function rewriteTool(part: ToolPart, index: number, changes: MessageChanges): RewrittenBlock | undefined {
  const call = `${index}#call`;
  const result = `${index}#result`;
  if (changes.dropped.has(call) || changes.dropped.has(result)) return undefined;
  if (isServerTool(part)) return { block: part };
  const input = changes.leaves.get(call);
  const output = changes.leaves.get(result)?.get("output");
  let { state } = part;
  if (input && !isSigned(part)) state = setField(state, "input", replaceLeaves(state.input, "input", input));
  if (output !== undefined) state = setSentText(state, output);
  return { block: setField(part, "state", state) };
}

function setSentText(state: JsonRecord, text: string): JsonRecord {
  const field = findSentText(state);
  if (field === undefined) return state;
  if (field !== "metadata") return setText(state, field, text).block;
  return isRecord(state.metadata)
    ? setField(state, "metadata", setText(state.metadata, "output", text).block)
    : state;
}

function rewritePart(part: JsonRecord, isAssistant: boolean, texts: Texts): RewrittenBlock {
  if (part.type === "text") return setText(part, "text", texts.get("text"));
  if (part.type === "reasoning") {
    return { block: isReasoningSigned(part) ? part : setText(part, "text", texts.get("text")).block };
  }
  const data = texts.get("data");
  if (isAssistant || !isSentByUser(part) || data === undefined || data === part.url) return { block: part };
  const { mime: _mime, filename: _filename, url: _url, source: _source, ...rest } = part;
  return setText({ ...rest, type: "text", synthetic: true }, "text", data);
}

/** The text of the result in one part. */
interface ResultText {
  readonly index: number;
  readonly text: string;
}

/** Changes stay the same objects from request to request, so they are examined once. */
const known = new WeakMap<MessageChanges, readonly ResultText[] | "more">();

/** The changes, if all of them are new texts of results; if not, `more`. */
function listResults(changes: MessageChanges): readonly ResultText[] | "more" {
  let results = known.get(changes);
  if (!results) {
    results = findResults(changes);
    known.set(changes, results);
  }
  return results;
}

function findResults({ leaves, dropped }: MessageChanges): readonly ResultText[] | "more" {
  if (dropped.size > 0) return "more";
  const results: ResultText[] = [];
  for (const [slot, texts] of leaves) {
    if (!slot.endsWith("#result")) return "more";
    const text = texts.get("output");
    if (text !== undefined) results.push({ index: blockIndexOf(slot), text });
  }
  return results.slice();
}

/**
 * For an item id, the provider uses its stored version and ignores the part's text, and it requires a call to stay
 * with the reasoning before it. So once a message has changed, all of it is sent in full.
 */
function loseItemId(part: unknown): unknown {
  return isRecord(part) ? omitItemId(part, "metadata") : part;
}
