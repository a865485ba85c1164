import type { Issue } from "../basics/issue.ts";
import type { ReasoningRule } from "../models/profile.ts";
import type { DecodedMessage } from "../transcript/message.ts";
import type { Trace } from "./trace.ts";

export type FormatName =
  | "opencode"
  | "openai-chat"
  | "openai-responses"
  | "anthropic-messages"
  | "ai-sdk"
  | "pi"
  | "gemini"
  | "langchain"
  | "openai-agents";

/** A built-in format by its name, or your own format. */
export type FormatChoice = FormatName | Format;

/** The changes to one message, by slot. Everything else stays the very same object. */
export interface MessageChanges {
  /**
   * New text per slot and leaf id. An empty text removes its block if the message is legal without it, and becomes "—"
   * if not; an empty result or reasoning always becomes "—". A field of an input just becomes empty. New `data` of a
   * file turns the file into a text. Texts for signed parts are ignored: those stay or are dropped.
   */
  readonly leaves: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Slots to remove from the message: reasoning, a call and its result together, or any other part. */
  readonly dropped: ReadonlySet<string>;
}

/** Messages followed by a note. */
export interface PlacedNote<M> {
  readonly messages: M[];
  /** As a separate message, or as one more block of the last message. */
  readonly added: "message" | "block";
}

/**
 * A live, two-way wire format. All functions are pure and total: `decode` returns unknown values as opaque parts (a
 * value that is not a message becomes one opaque part), and never throws on any JSON-like value.
 */
export interface Format<M = unknown> {
  /** A built-in format's `FormatName`, or the name of your own. */
  readonly name: string;
  /** Are all or most of these messages of this format? 0: no; 1: certainly; between: possibly. */
  detect(messages: readonly unknown[]): number;
  decode(message: M): DecodedMessage;
  /**
   * Shows the trace everything that `decode` depends on, in a fixed order, until the trace returns false. Then
   * returns `false`, and also for a message that can't be recognised this way.
   */
  look?(message: M, trace: Trace): boolean;
  /** A copy of the message with the changes applied; `undefined` if nothing is left. The input is not modified. */
  rewrite(message: M, changes: MessageChanges): M | undefined;
  /**
   * Puts a note at the very end, where the provider accepts it, also after results. All messages stay the very same
   * objects, except the last one if a block is added to it. See `stripNote`.
   */
  placeNote(messages: readonly M[], text: string): PlacedNote<M>;
  /** The provider's rules: pairing, order, empty blocks, reasoning. No issues: the provider accepts it. */
  validate(messages: readonly M[], reasoning: ReasoningRule): readonly Issue[];
}

/** The part of a format that reads and changes messages, without its name and its rules. */
export type Codec = Pick<Format, "decode" | "look" | "rewrite">;
