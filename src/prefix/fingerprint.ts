import { isRecord, type JsonRecord } from "../basics/json.ts";
import { writeJson } from "../basics/write-json.ts";
import { hashText } from "../transcript/hash.ts";
import { readCacheControl } from "../wires/cache-marks.ts";
import { parseBody } from "../wires/read-body.ts";
import { listTools } from "./list-tools.ts";

/** A request as hashes and names, without its text: enough to name the first place where the next one differs. */
export interface PrefixFingerprint {
  /** The name in the request. */
  readonly model: string | undefined;
  readonly tools: readonly NamedHash[];
  readonly system: readonly TextHash[];
  readonly messages: readonly TextHash[];
  /** The number of message blocks before each cache mark; 0: the mark is on the system prompt or the tools. */
  readonly marks: readonly number[];
  /** Other fields that a cache depends on, such as the tool choice. */
  readonly settings: readonly NamedHash[];
  /** Features that the headers request, sorted by name. */
  readonly features: readonly string[];
}

export interface NamedHash {
  readonly name: string;
  readonly hash: string;
}

/** The hashes of a block of the system prompt, or of a message. */
export interface TextHash {
  readonly hash: string;
  /** The hash without dates, if it has any. */
  readonly undated?: string;
  /** The hash without reminders, if it has any. */
  readonly unreminded?: string;
  /** The hash without attachments, if it has any. */
  readonly detached?: string;
}

/**
 * @param model used if the body does not name one
 * @param features the value of a header that lists them
 * @param before the previous request's fingerprint, if known: unchanged parts are taken from it
 */
export function takeFingerprint(
  body: string,
  model: string | undefined,
  features: string | undefined,
  before?: PrefixFingerprint,
): PrefixFingerprint | undefined {
  const whole = parseBody(body);
  if (!whole) return undefined;
  // Code Assist wraps Gemini's request.
  const request = isRecord(whole.request) ? whole.request : whole;
  const messages = listMessages(request);
  return {
    model: typeof whole.model === "string" ? whole.model : model,
    tools: [request.tools, request.functions]
      .flatMap((list) => listTools(list, []))
      .map(({ name, text }) => ({ name, hash: hashText(text) })),
    system: listBlocks(
      request.system ?? request.instructions ?? request.systemInstruction ?? request.system_instruction,
    )
      .filter((block) => !isBilling(block))
      .map((block, i) => hashBlocks({}, [block], before?.system[i])),
    messages: messages.map((message, i) => hashMessage(message, before?.messages[i])),
    marks: listMarks(request, messages),
    settings: SETTINGS.flatMap((name) =>
      request[name] === undefined ? [] : [{ name, hash: hashText(writeJson(request[name])) }],
    ),
    features: (features ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .sort(),
  };
}

/** A change of one of these makes cached text unreadable. */
const SETTINGS = ["tool_choice", "thinking", "prompt_cache_key"] as const;

function listMessages({ messages, input, contents }: JsonRecord): readonly unknown[] {
  const list = messages ?? input ?? contents;
  return Array.isArray(list) ? list : list === undefined ? [] : [{ role: "user", content: list }];
}

/** Claude Code's first block of the system prompt changes with every request, and is not part of the cached text. */
function isBilling(block: unknown): boolean {
  return isRecord(block) && typeof block.text === "string" && block.text.startsWith("x-anthropic-billing-");
}

/**
 * Plain text equals one block of text: clients write a message as a block if it has a mark, and as plain text if
 * not.
 */
function listBlocks(content: unknown): readonly unknown[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (isRecord(content) && Array.isArray(content.parts)) return content.parts;
  return Array.isArray(content) ? content : [content];
}

function hashMessage(message: unknown, before: TextHash | undefined): TextHash {
  if (!isRecord(message)) return { hash: hashText(writeJson(message)) };
  const { content, parts, cache_control: _mark, ...rest } = message;
  return hashBlocks(rest, listBlocks(content ?? parts), before);
}

function hashBlocks(rest: JsonRecord, blocks: readonly unknown[], before: TextHash | undefined): TextHash {
  const bare = blocks.map(withoutMark);
  const write = (own: readonly unknown[]): string => writeJson([rest, own]);
  const text = write(bare);
  const hash = hashText(text);
  if (before?.hash === hash) return before;
  const undated = text.replace(DATE, "");
  const unreminded = text.includes(OPEN) ? hashText(write(bare.flatMap(withoutReminders))) : undefined;
  const detached = bare.some(isAttachment)
    ? hashText(write(bare.filter((block) => !isAttachment(block))))
    : undefined;
  return {
    hash,
    ...(undated !== text && { undated: hashText(undated) }),
    ...(unreminded !== undefined && { unreminded }),
    ...(detached !== undefined && { detached }),
  };
}

function withoutMark(block: unknown): unknown {
  if (!isRecord(block)) return block;
  const { cache_control: _mark, ...rest } = block;
  return Array.isArray(rest.content) ? { ...rest, content: rest.content.map(withoutMark) } : rest;
}

const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\\.?";
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}";
/** Dates and times as they occur in prompts. */
const DATE = new RegExp(
  [
    String.raw`\b\d{4}[-/]\d{1,2}[-/]\d{1,2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?`,
    String.raw`\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b`,
    String.raw`\b(?:${DAY},? )?${MONTH} \d{1,2}(?:,? \d{4})?\b`,
    String.raw`\b(?:${DAY},? )?\d{1,2}\.? ${MONTH} \d{4}\b`,
    String.raw`\b${DAY}\b`,
    String.raw`\b\d{1,2}:\d{2}(?::\d{2})?\b`,
    String.raw`\b1[5-9]\d{8}(?:\d{3})?\b`,
  ].join("|"),
  "g",
);

const OPEN = "<system-reminder>";
const CLOSE = "</system-reminder>";

/** The block without its reminders; a text with only reminders is removed. */
function withoutReminders(block: unknown): readonly unknown[] {
  if (!isRecord(block)) return [block];
  if (typeof block.text === "string") {
    const text = dropReminders(block.text);
    return text === "" ? [] : [{ ...block, text }];
  }
  const { content } = block;
  if (typeof content === "string") return [{ ...block, content: dropReminders(content) }];
  return [Array.isArray(content) ? { ...block, content: content.flatMap(withoutReminders) } : block];
}

function dropReminders(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf(OPEN, at);
    const close = open < 0 ? -1 : text.indexOf(CLOSE, open);
    if (close < 0) return [...kept, text.slice(at)].join("").trim();
    kept.push(text.slice(at, open));
    at = close + CLOSE.length;
  }
}

const ATTACHED: ReadonlySet<unknown> = new Set([
  "image",
  "document",
  "file",
  "image_url",
  "input_image",
  "input_file",
  "input_audio",
]);

function isAttachment(block: unknown): boolean {
  if (!isRecord(block)) return false;
  return ATTACHED.has(block.type) || ["inlineData", "fileData"].some((field) => block[field] !== undefined);
}

function listMarks(request: JsonRecord, messages: readonly unknown[]): readonly number[] {
  const isMarked = (holder: unknown): boolean => isRecord(holder) && readCacheControl(holder) !== undefined;
  const hasMark = (block: unknown): boolean =>
    isMarked(block) || (isRecord(block) && Array.isArray(block.content) && block.content.some(isMarked));
  const marks = [request.tools, request.system].flat().some(isMarked) ? [0] : [];
  let blocks = 0;
  for (const message of messages) {
    for (const block of isRecord(message) ? listBlocks(message.content ?? message.parts) : []) {
      blocks++;
      if (hasMark(block)) marks.push(blocks);
    }
    if (isMarked(message)) marks.push(blocks);
  }
  if (isMarked(request)) marks.push(blocks);
  return marks;
}
