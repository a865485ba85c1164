import type { FormatName } from "../formats/format.ts";
import type { ClearingRule } from "../transcript/clearing-rule.ts";
import type { Usage } from "../transcript/message.ts";
import type { MarksInRequest } from "./cache-marks.ts";

export type WireName =
  | "anthropic-messages"
  | "anthropic-count-tokens"
  | "openai-chat"
  | "openai-responses"
  | "gemini";

/** A request body of a provider's HTTP interface, and the answer to it. All functions are pure, and none throws. */
export interface Wire {
  readonly name: WireName;
  /** Does a request to this path speak this wire? The path may have a prefix (a gateway's) and a query. */
  match(method: string, path: string): boolean;
  /** `undefined` for what is no body of this wire (cut off, of another shape): it goes out as it came. */
  read(body: string, path: string): WireRequest | undefined;
  /**
   * The body with these messages instead of its own. Only what changed differs, everything else is byte for byte as it came:
   * the very same text where nothing changed. `undefined` where that can't be done: the request goes out as it came.
   *
   * @param sources for each message the index of the one it was made from; one that was added has none
   */
  write(
    request: WireRequest,
    messages: readonly unknown[],
    sources: readonly (number | undefined)[],
  ): string | undefined;
  /** Reads what comes back, in chunks cut anywhere, while it is passed on. */
  openAnswer(): AnswerReader;
}

export interface WireRequest {
  readonly body: string;
  readonly format: FormatName;
  readonly messages: readonly unknown[];
  /** Where they stand in the body. */
  readonly place: MessagesPlace;
  readonly model: string | undefined;
  /** Tokens of system text and tools outside the messages, by the fixed estimator. */
  readonly prefixTokens: number;
  /** What its cache marks say. */
  readonly caching: MarksInRequest;
  /** By which rule the provider is asked to clear old results itself. */
  readonly clears?: ClearingRule;
  readonly isStream: boolean;
  readonly hasTools: boolean;
  /** The client asks for the history in short, with its tools as ever. */
  readonly isCompaction: boolean;
  /** Names of the tools that have one. */
  readonly toolNames: readonly string[];
  /** Why the request has to be left alone: the server holds history, and this is not all of it. */
  readonly historyOnServer: string | undefined;
  /** A name that an agent and its subagents share: `prompt_cache_key`, `metadata.user_id`. */
  readonly cacheKey: string | undefined;
}

export interface MessagesPlace {
  /** The fields that lead to them. */
  readonly path: readonly string[];
  /** A list, or the text of one user message. */
  readonly kind: "list" | "text";
}

export interface AnswerReader {
  /** Ids of the calls that have come so far. */
  readonly calls: readonly string[];
  /** Names of the tools that have been called so far. */
  readonly calledTools: readonly string[];
  push(chunk: Uint8Array): void;
  end(): Answer;
}

export interface Answer {
  /** The answer came to its end, and is no error. */
  readonly ok: boolean;
  readonly usage?: Usage;
  readonly model?: string;
  /** Why the model stopped, in the provider's words. */
  readonly finish?: string;
  /** Why text was not in the cache, in the provider's words: some say so to whoever asks for it. */
  readonly cacheMiss?: string;
  /** Ids of the calls that the host has to answer. */
  readonly calls: readonly string[];
  /** Names of the tools that they are calls of, each once. */
  readonly calledTools: readonly string[];
}
