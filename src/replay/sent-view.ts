import type { Format } from "../formats/format.ts";
import { isKnownAs, noteOrigin } from "../formats/intake/recognise.ts";
import { collectLeaves } from "../formats/json-leaves.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import type { DecodedMessage } from "../transcript/message.ts";
import type { Part } from "../transcript/part.ts";
import { sameMessage } from "../transcript/same-part.ts";
import { countPart } from "../transcript/transcript.ts";
import { sum } from "./sum.ts";

/** One decoded and counted message of a view. */
export interface SentMessage {
  readonly decoded: DecodedMessage;
  readonly tokens: number;
  /** Tokens of each part. */
  readonly counts: readonly number[];
  /** The texts in it that a model can read, in order. */
  readonly texts: readonly string[];
}

/** Decodes and counts messages, each once. */
export class MessageReader {
  readonly #format: Format;
  readonly #known = new WeakMap<object, SentMessage>();

  constructor(format: Format) {
    this.#format = format;
  }

  /** `before`: the message at this place of the last view, which is returned if the new one is equal. */
  read(message: unknown, before?: SentMessage): SentMessage {
    const isObject = typeof message === "object" && message !== null;
    const known = isObject ? this.#known.get(message) : undefined;
    if (known) return known;
    // A message with the same rewrite in every request: its object is the same.
    if (before && isKnownAs(before.decoded, { message }, this.#format)) return before;
    const read = this.#readAnew(message, before);
    if (isObject) this.#known.set(message, read);
    return read;
  }

  #readAnew(message: unknown, before: SentMessage | undefined): SentMessage {
    const decoded = this.#format.decode(message);
    if (before && sameMessage(before.decoded, decoded)) return before;
    noteOrigin(decoded, { message }, this.#format);
    return count(decoded);
  }
}

function count(decoded: DecodedMessage): SentMessage {
  const counts = decoded.parts.map(countPart);
  return { decoded, counts, tokens: sum(counts), texts: decoded.parts.flatMap(listTexts) };
}

/** The texts of a part. File data does not count as text. */
export function listTexts(part: Part): readonly string[] {
  if (part.kind === "file") return [];
  if (part.kind === "opaque") return collectLeaves(part.raw, "").map(({ text }) => text);
  const isBare = part.kind === "call" && part.leaves.length === 0;
  return (isBare ? collectLeaves(part.input, "input") : part.leaves).map(({ text }) => text);
}

/** A stretch of messages: its blocks and their tokens. */
export interface MessageEnd {
  readonly blocks: number;
  readonly tokens: number;
}

/** How far two views are equal. */
export interface CommonPrefix {
  /** Whole messages. */
  readonly messages: number;
  /** Whole parts of the message after them. */
  readonly parts: number;
  readonly tokens: number;
}

/** The longest common prefix, to the character. Equal messages must be the same object: see `MessageReader`. */
export function findCommonPrefix(before: readonly SentMessage[], now: readonly SentMessage[]): CommonPrefix {
  let messages = 0;
  let tokens = 0;
  for (; messages < before.length && before[messages] === now[messages]; messages++) {
    tokens += before[messages]?.tokens ?? 0;
  }
  const [a, b] = [before[messages], now[messages]];
  if (!a || !b || a.decoded.role !== b.decoded.role) return { messages, parts: 0, tokens };
  let parts = 0;
  while (isSamePart(a.decoded.parts[parts], b.decoded.parts[parts])) tokens += a.counts[parts++] ?? 0;
  return { messages, parts, tokens: tokens + countCommon(a.decoded.parts[parts], b.decoded.parts[parts]) };
}

function isSamePart(a: Part | undefined, b: Part | undefined): boolean {
  if (!a || !b) return false;
  return a === b || sameMessage({ role: a.role, parts: [a] }, { role: b.role, parts: [b] });
}

/** Tokens of the common beginning of two different parts. */
function countCommon(a: Part | undefined, b: Part | undefined): number {
  if (!a || !b || a.kind !== b.kind || a.kind === "file" || idOf(a) !== idOf(b)) return 0;
  let tokens = 0;
  for (const [i, leaf] of a.leaves.entries()) {
    const other = b.leaves[i];
    if (other?.id !== leaf.id) break;
    const length = countCommonChars(leaf.text, other.text);
    tokens += estimateTokens(leaf.text.slice(0, length));
    if (leaf.text !== other.text) break;
  }
  return tokens;
}

function idOf(part: Part): string | undefined {
  if (part.kind === "call") return `${part.callId} ${part.tool}`;
  return part.kind === "result" ? part.callId : undefined;
}

function countCommonChars(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i;
}
