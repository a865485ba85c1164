import { isRecord, type JsonRecord } from "../basics/json.ts";
import type { CacheMark } from "../transcript/cache-mark.ts";

/** The cache marks of a request. */
export interface MarksInRequest {
  /** The places of the marks; missing if `placeMarks` assumes the same places, or if none are visible. */
  readonly marks?: readonly CacheMark[];
  /** The longest lifetime that one of them asks for, in milliseconds, if longer than usual. */
  readonly ttl?: number;
  /** One more can be set: there are some, and fewer than the provider's maximum. */
  readonly mayMark?: true;
}

/** Reads a mark's lifetime, if it has one; `undefined` if there is no mark. */
export type ReadMark = (holder: JsonRecord) => { readonly ttl?: number } | undefined;

const HOUR = 3_600_000;

/** A provider refuses more in one request. */
const MOST_MARKS = 4;

/** Anthropic's marks, which gateways also accept. */
export const readCacheControl: ReadMark = ({ cache_control: mark }) =>
  isRecord(mark) ? (mark.ttl === "1h" ? { ttl: HOUR } : {}) : undefined;

/**
 * Reads the marks of a request.
 *
 * @param before values with marks before the first message: lists of tools, system text
 * @param whole the body: its own mark is at the end of the last message
 */
export function readMarks(
  whole: JsonRecord,
  before: readonly unknown[],
  messages: readonly unknown[],
  readMark: ReadMark = readCacheControl,
): MarksInRequest {
  const found: CacheMark[] = [];
  for (const mark of listMarked(before.flat(), readMark)) found.push({ message: -1, ...mark.value });
  for (const [message, each] of messages.entries()) {
    if (!isRecord(each)) continue;
    const own = readMark(each);
    if (own) found.push({ message, ...own });
    const blocks = Array.isArray(each.content) ? each.content : [];
    for (const { index, value } of listMarked(blocks, readMark)) {
      const isLast = index === blocks.length - 1;
      found.push({ message, ...(!isLast && { block: index }), ...value });
    }
  }
  const automatic = readMark(whole);
  if (automatic) found.push({ message: messages.length - 1, ...automatic });
  if (found.length === 0) return {};
  const ttl = Math.max(...found.map((mark) => mark.ttl ?? 0));
  return {
    ...(!isUsual(found, messages.length - 1) && { marks: found }),
    ...(ttl > 0 && { ttl }),
    ...(found.length < MOST_MARKS && { mayMark: true }),
  };
}

/** For hosts that do not set marks for us: leaves out the possible extra one. */
export function withoutOwn({ marks, ttl }: MarksInRequest): MarksInRequest {
  return { ...(marks && { marks }), ...(ttl !== undefined && { ttl }) };
}

/** The blocks with marks, or with a block inside that has one. */
function listMarked(
  blocks: readonly unknown[],
  readMark: ReadMark,
): readonly { readonly index: number; readonly value: { readonly ttl?: number } }[] {
  return blocks.flatMap((block, index) => {
    if (!isRecord(block)) return [];
    const inside = Array.isArray(block.content) ? block.content.filter(isRecord) : [];
    return [block, ...inside].flatMap((holder) => {
      const value = readMark(holder);
      return value ? [{ index, value }] : [];
    });
  });
}

/** At the end of the text before the first message, and at the end of the last message, with one lifetime. */
function isUsual(marks: readonly CacheMark[], last: number): boolean {
  return (
    marks.every(({ message, block, ttl }) => {
      const isAtEnd = message === -1 || (message === last && block === undefined);
      return isAtEnd && ttl === marks[0]?.ttl;
    }) &&
    marks.some(({ message }) => message === -1) &&
    marks.some(({ message }) => message === last)
  );
}

/** The message with a mark on its last block; `undefined` if the message can't have one. */
export function markMessage(message: unknown, ttl: number | undefined): unknown {
  if (!isRecord(message)) return undefined;
  // A plain text becomes a block.
  const { content } = message;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(blocks)) return undefined;
  const last: unknown = blocks.at(-1);
  if (!isRecord(last) || !isMarkable(last)) return undefined;
  if (isRecord(last.cache_control)) return message;
  const mark = { type: "ephemeral", ...(ttl === HOUR && { ttl: "1h" }) };
  return { ...message, content: [...blocks.slice(0, -1), { ...last, cache_control: mark }] };
}

/** Providers refuse a mark on reasoning and on an empty text. */
function isMarkable({ type, text }: JsonRecord): boolean {
  return type === "text" ? typeof text === "string" && text.trim() !== "" : MARKABLE.has(type);
}

const MARKABLE: ReadonlySet<unknown> = new Set(["tool_result", "tool_use", "image", "document"]);
