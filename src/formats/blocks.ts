import { isRecord, type JsonRecord } from "../basics/json.ts";
import type { DecodedMessage } from "../transcript/message.ts";
import { EMPTIED, type Part } from "../transcript/part.ts";
import type { MessageChanges } from "./format.ts";

/** The slot of a message that is one opaque part. */
export const WHOLE_MESSAGE = "";

/**
 * The index of a slot's block, which is the start of the slot in every format. −1 for the slot of a field.
 *
 *   3, 3#result  ->  3
 *   content      ->  −1
 */
export function blockIndexOf(slot: string): number {
  let index = -1;
  // Written by hand, because it runs for every changed message at every request.
  for (let i = 0; i < slot.length; i++) {
    const digit = slot.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) break;
    index = (index < 0 ? 0 : index * 10) + digit;
  }
  return index;
}

const ZERO = "0".charCodeAt(0);

/** A value under construction. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * A block after its changes. `emptied`: its text is gone, and it may be removed if the message is legal without it.
 */
export interface RewrittenBlock {
  readonly block: unknown;
  readonly emptied?: boolean;
}

/**
 * The list after its changes, the very same list if nothing changed. Emptied blocks are removed; if the rest would not
 * be legal without them (`stands`), the last of them stays.
 *
 * @param rewrite returns `undefined` for a block that was dropped
 */
export function rewriteBlocks(
  blocks: readonly unknown[],
  rewrite: (block: unknown, index: number) => RewrittenBlock | undefined,
  stands: (kept: readonly unknown[]) => boolean,
): readonly unknown[] {
  const rest: unknown[] = [];
  let last: { readonly block: unknown; readonly at: number } | undefined;
  let isSame = true;
  for (let index = 0; index < blocks.length; index++) {
    const outcome = rewrite(blocks[index], index);
    if (outcome?.block !== blocks[index] || !outcome || outcome.emptied) isSame = false;
    if (outcome?.emptied) last = { block: outcome.block, at: rest.length };
    else if (outcome) rest.push(outcome.block);
  }
  if (isSame) return blocks;
  return last === undefined || stands(rest) ? rest : rest.toSpliced(last.at, 0, last.block);
}

/**
 * Removes reasoning after the last content: the content after it was removed, and no message may end with
 * reasoning.
 */
export function dropTrailing(
  blocks: readonly unknown[],
  reasoning: string,
  isContent: (block: unknown) => boolean,
): readonly unknown[] {
  const last = blocks.findLastIndex(isContent);
  return blocks.filter((block, index) => index < last || !isRecord(block) || block.type !== reasoning);
}

/** The record with a new text. A block with a cache mark stays even when emptied, and keeps the mark. */
export function setText(
  block: JsonRecord,
  field: string,
  text: string | undefined,
): RewrittenBlock & { readonly block: JsonRecord } {
  if (text === undefined || text === block[field]) return { block };
  return {
    block: withField(block, field, text || EMPTIED),
    emptied: text === "" && block.cache_control == null,
  };
}

/** The fields that say where a provider's cache ends. Clients move them from block to block. */
export const CACHE_MARKS: readonly string[] = ["cache_control"];

/** The contents of an unknown block, wherever the cache ends. */
export function withoutMark(block: unknown): unknown {
  return isRecord(block) ? CACHE_MARKS.reduce(omitField, block) : block;
}

/** A text block in place of a file; it keeps the file's cache mark. */
export function toTextBlock(block: JsonRecord, text: string): RewrittenBlock {
  const { cache_control } = block;
  return setText(cache_control == null ? { type: "text" } : { type: "text", cache_control }, "text", text);
}

/** The record with one field changed; the very same record if the field already has that value. */
export function setField(record: JsonRecord, field: string, value: unknown): JsonRecord {
  return record[field] === value ? record : withField(record, field, value);
}

/**
 * Not for inputs, which may have a field `__proto__`. A spread with a computed key would be several times slower.
 */
function withField(record: JsonRecord, field: string, value: unknown): JsonRecord {
  const copy: Mutable<JsonRecord> = { ...record };
  copy[field] = value;
  return copy;
}

export function omitField(record: JsonRecord, field: string): JsonRecord {
  if (!(field in record)) return record;
  const { [field]: _, ...rest } = record;
  return rest;
}

export function isTextBlock(block: unknown): block is { readonly type: "text"; readonly text: string } {
  return isRecord(block) && block.type === "text" && typeof block.text === "string";
}

export function isNotEmpty(list: readonly unknown[]): boolean {
  return list.length > 0;
}

export function hasChanges(changes: MessageChanges): boolean {
  return changes.leaves.size > 0 || changes.dropped.size > 0;
}

/** A value that is not a message, or is of an unknown kind: one part that is never changed. */
export function decodeOpaque(message: unknown, role: DecodedMessage["role"]): DecodedMessage {
  return { role, parts: [{ kind: "opaque", slot: WHOLE_MESSAGE, role, leaves: [], raw: message }] };
}

/** Marks the first part as opening a step, in place: the parts must be new. */
export function openStep(parts: readonly Part[]): void {
  const first: Mutable<Part> | undefined = parts[0];
  if (first) first.opensStep = true;
}

/**
 * The likelihood that messages are of one format: 1 if the format's own features occur, `plainScore` if every
 * message fits any format, 0 if most are foreign.
 */
export function scoreMessages(
  messages: readonly unknown[],
  judge: (message: unknown) => "own" | "plain" | "foreign",
  plainScore: number,
): number {
  if (messages.length === 0) return 0;
  let own = 0;
  let foreign = 0;
  for (const message of messages) {
    const verdict = judge(message);
    if (verdict === "own") own++;
    if (verdict === "foreign" && ++foreign * 2 >= messages.length) return 0;
  }
  return (own > 0 ? 1 : plainScore) * (1 - foreign / messages.length);
}
