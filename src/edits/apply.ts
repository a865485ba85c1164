import type { Codec, PlacedNote } from "../formats/format.ts";
import { decodeMessages } from "../formats/intake/decode.ts";
import { takeIn } from "../formats/intake/intake.ts";
import type { OwnProtocol } from "../formats/text-protocols/own-protocol.ts";
import { textProtocolsWith } from "../formats/text-protocols/text-protocols.ts";
import type { DecodedMessage } from "../transcript/message.ts";
import type { PartKey } from "../transcript/part.ts";
import { Ledger, type LedgerEntry } from "./ledger.ts";
import { View } from "./view.ts";

export interface Rewritten<M> {
  readonly messages: M[];
  /** By output message: the index of the input message that it was made from. */
  readonly sources: number[];
  /** How a note of ours was added at the end: as a message, or as one more block of the last one. */
  readonly note?: PlacedNote<M>["added"];
}

/** The messages with the view's edits and tags. A message without any stays the very same object. */
export function rewriteMessages<M>(
  view: Pick<View, "changesFor">,
  format: Codec,
  messages: readonly M[],
  decoded: readonly DecodedMessage[],
  firstPart: readonly number[],
): Rewritten<M> {
  const rewritten: Rewritten<M> = { messages: [], sources: [] };
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as M;
    const changes = view.changesFor(decoded[i]?.parts ?? [], firstPart[i] ?? 0);
    const result = changes ? (format.rewrite(message, changes) as M | undefined) : message;
    if (changes && result === undefined) continue;
    rewritten.messages.push(result as M);
    rewritten.sources.push(i);
  }
  return rewritten;
}

/**
 * Applies recorded edits, from JSON for example, to the messages they were made for. The guard is not asked again.
 *
 * @param textProtocols those of the configuration that the edits were made under
 */
export function applyLedger<M>(
  format: Codec,
  messages: readonly M[],
  entries: readonly LedgerEntry[],
  textProtocols: readonly OwnProtocol[] = [],
): Rewritten<M> {
  const taken = decodeMessages(format, messages, [], [], textProtocolsWith(textProtocols));
  const { transcript, messages: decoded, firstPart } = takeIn(taken);
  const ledger = new Ledger(transcript.undoLog);
  const view = new View(transcript, ledger);
  view.extend(() => undefined);
  const touched = new Set<PartKey>();
  for (const { edit, request } of entries) for (const key of ledger.record(edit, request)) touched.add(key);
  view.refresh([...touched]);
  return rewriteMessages(view, format, messages, decoded, firstPart);
}
