import { clearResult } from "../../transcript/clear-result.ts";
import type { DecodedMessage, MessageMeta } from "../../transcript/message.ts";
import type { Part } from "../../transcript/part.ts";
import type { Codec } from "../format.ts";
import { markState } from "../text-protocols/mark-state.ts";
import { mayAnswer, pairTexts } from "../text-protocols/pair-texts.ts";
import type { TextProtocol } from "../text-protocols/text-protocol.ts";
import { TEXT_PROTOCOLS } from "../text-protocols/text-protocols.ts";
import { isKnownAs, noteOrigin, shareOrigin } from "./recognise.ts";

type Metas = readonly (MessageMeta | undefined)[];

/**
 * Decodes a list of messages. A response of several messages opens one step, and outputs of calls that a response
 * made as text become results. A message that has not changed since it was decoded returns its element of `known`.
 */
export function decodeMessages(
  format: Codec,
  messages: readonly unknown[],
  meta: Metas = [],
  known: readonly DecodedMessage[] = [],
  protocols: readonly TextProtocol[] = TEXT_PROTOCOLS,
): DecodedMessage[] {
  const decoded: DecodedMessage[] = [];
  for (let i = 0; i < messages.length; i++) {
    const hostMessage = { message: messages[i], meta: meta[i] };
    const before = known[i];
    const previous = decoded[i - 1];
    const continues = previous?.isItem === true;
    if (
      before &&
      continuesStep(before) === (before.isItem === true && continues) &&
      (previous === known[i - 1] || !mayAnswer(before)) &&
      isKnownAs(before, hostMessage, format)
    )
      decoded.push(before);
    else {
      const joined = joinResponse(decodeMessage(format, messages[i], meta[i]), continues);
      decoded.push(pair(joined, previous, protocols));
    }
  }
  return decoded;
}

/** One message of a list, decoded as in `decodeMessages`. */
export function decodeAt(
  format: Codec,
  messages: readonly unknown[],
  meta: Metas,
  index: number,
  protocols: readonly TextProtocol[],
): DecodedMessage {
  const message = decodeMessage(format, messages[index], meta[index]);
  if (!mayAnswer(message)) return message;
  const before = index === 0 ? undefined : decodeMessage(format, messages[index - 1], meta[index - 1]);
  return pair(message, before, protocols);
}

function pair(
  message: DecodedMessage,
  previous: DecodedMessage | undefined,
  protocols: readonly TextProtocol[],
): DecodedMessage {
  const paired = markState(pairTexts(message, previous, protocols));
  if (paired !== message) shareOrigin(message, paired);
  return paired;
}

/** If several items in a row are one response, only the first opens a step. */
export function joinResponses(messages: readonly DecodedMessage[]): DecodedMessage[] {
  return messages.map((message, i) => joinResponse(message, messages[i - 1]?.isItem === true));
}

/** Decoded messages in which outputs of calls that were made as text are results. */
export function pairResults(messages: readonly DecodedMessage[]): DecodedMessage[] {
  return messages.map((message, i) => pair(message, messages[i - 1], TEXT_PROTOCOLS));
}

function joinResponse(message: DecodedMessage, continues: boolean): DecodedMessage {
  return message.isItem && continues ? continueStep(message) : message;
}

/** Does the item open no step because it follows another one? */
function continuesStep({ isItem, parts }: DecodedMessage): boolean {
  return isItem === true && parts.length > 0 && !parts[0]?.opensStep;
}

/** Decodes a message for the fold. Transient parts are left out: they stay only in the message. */
export function decodeMessage(
  format: Codec,
  message: unknown,
  meta: MessageMeta | undefined,
): DecodedMessage {
  const decoded = format.decode(message);
  const kept = decoded.parts.some(isTransient)
    ? decoded.parts.filter((part) => !isTransient(part))
    : decoded.parts;
  const parts = meta?.cleared ? kept.map((part) => clear(part, meta.cleared ?? [])) : kept;
  const whole = meta || parts !== decoded.parts ? Object.assign({}, decoded, meta, { parts }) : decoded;
  noteOrigin(whole, { message, meta }, format);
  return whole;
}

/** A message of a person, or of the host in their name: a user message without results. */
export function opensTurn({ role, parts }: DecodedMessage): boolean {
  return role === "user" && parts.length > 0 && !parts.some(({ kind }) => kind === "result");
}

function clear(part: Part, calls: readonly string[]): Part {
  return part.kind === "result" && calls.includes(part.callId) ? clearResult(part) : part;
}

function continueStep(message: DecodedMessage): DecodedMessage {
  const [first, ...others] = message.parts;
  if (!first?.opensStep) return message;
  const { opensStep: _, ...part } = first;
  const joined = { ...message, parts: [part, ...others] };
  shareOrigin(message, joined);
  return joined;
}

function isTransient(part: Part): boolean {
  return part.transient === true;
}
