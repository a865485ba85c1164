import type { Codec } from "../formats/format.ts";
import type { DecodedMessage, MessageMeta } from "./message.ts";
import type { Part } from "./part.ts";
import { Trace } from "./trace.ts";

/**
 * Takes a list of messages apart. A response that takes several of them opens one step. What is still as it was `known`
 * comes back as that very object.
 */
export function decodeMessages(
  format: Codec,
  messages: readonly unknown[],
  meta: readonly (MessageMeta | undefined)[] = [],
  known: readonly DecodedMessage[] = [],
): DecodedMessage[] {
  let isInResponse = false;
  return messages.map((raw, i) => {
    const before = known[i];
    if (before && !meta[i] && isSameAs(before, raw, format)) return before;
    const message = decodeMessage(format, raw, meta[i]);
    const continues = isInResponse && message.isItem;
    isInResponse = message.isItem === true;
    return continues ? continueStep(message) : message;
  });
}

/** What was seen of messages when they were taken apart. */
const traces = new WeakMap<DecodedMessage, Trace>();

function isSameAs(before: DecodedMessage, raw: unknown, format: Codec): boolean {
  const trace = traces.get(before);
  trace?.rewind();
  return trace !== undefined && format.look?.(raw, trace) === true;
}

/** Takes a message apart for the fold. Transient parts stay in the message and out of the fold. */
export function decodeMessage(
  format: Codec,
  message: unknown,
  meta: MessageMeta | undefined,
): DecodedMessage {
  const decoded = format.decode(message);
  if (!meta) keepTrace(decoded, message, format);
  const parts = decoded.parts.some(isTransient)
    ? decoded.parts.filter((part) => !isTransient(part))
    : decoded.parts;
  return meta || parts !== decoded.parts ? { ...decoded, ...meta, parts } : decoded;
}

function keepTrace(decoded: DecodedMessage, message: unknown, format: Codec): void {
  const trace = format.look && new Trace();
  if (trace && format.look?.(message, trace)) traces.set(decoded, trace);
}

/** A person speaks, or the host in their name: a user message that answers no call. */
export function opensTurn({ role, parts }: DecodedMessage): boolean {
  return role === "user" && parts.length > 0 && !parts.some(({ kind }) => kind === "result");
}

function continueStep(message: DecodedMessage): DecodedMessage {
  const [first, ...others] = message.parts;
  if (!first?.opensStep) return message;
  const { opensStep: _, ...part } = first;
  return { ...message, parts: [part, ...others] };
}

function isTransient(part: Part): boolean {
  return part.transient === true;
}
