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
  /** Does a request to this path use this wire? The path may have a gateway's prefix and a query. */
  match(method: string, path: string): boolean;
  /** `undefined` if it is not a body of this wire (cut off, or another shape): it is sent unchanged. */
  read(body: string, path: string): WireRequest | undefined;
  /**
   * The body with these messages instead of its own. Only the changes differ; everything else stays byte for byte,
   * and an unchanged body is the very same text. `undefined` if this can't be done: the request is sent unchanged.
   *
   * @param sources for each message, the index of the one it was made from; an added one has none
   */
  write(
    request: WireRequest,
    messages: readonly unknown[],
    sources: readonly (number | undefined)[],
  ): string | undefined;
  /** Reads the answer, in chunks split anywhere, while it is passed on. */
  openAnswer(): AnswerReader;
}

export interface WireRequest {
  readonly body: string;
  readonly format: FormatName;
  readonly messages: readonly unknown[];
  /** The place of the messages in the body. */
  readonly place: MessagesPlace;
  readonly model: string | undefined;
  /** Tokens of system text and tools outside the messages, by the fixed estimator. */
  readonly prefixTokens: number;
  /** Its cache marks. */
  readonly caching: MarksInRequest;
  /** The rule by which the provider is asked to clear old results. */
  readonly clears?: ClearingRule;
  readonly isStream: boolean;
  readonly hasTools: boolean;
  /** The client asks for a summary of the history, with its usual tools. */
  readonly isCompaction: boolean;
  /** Names of the tools that have one. */
  readonly toolNames: readonly string[];
  /** Why the request must not be pruned: the server holds some of its history. */
  readonly historyOnServer: string | undefined;
  /** A name that an agent and its subagents share: `prompt_cache_key`, `metadata.user_id`. */
  readonly cacheKey: string | undefined;
}

export interface MessagesPlace {
  /** The fields that lead to the messages. */
  readonly path: readonly string[];
  /** A list, or the text of one user message. */
  readonly kind: "list" | "text";
}

export interface AnswerReader {
  /** Ids of the calls so far. */
  readonly calls: readonly string[];
  /** Names of the tools called so far. */
  readonly calledTools: readonly string[];
  push(chunk: Uint8Array): void;
  end(): Answer;
}

export interface Answer {
  /** Is the answer complete and not an error? */
  readonly ok: boolean;
  readonly usage?: Usage;
  readonly model?: string;
  /** Why the model stopped, in the provider's words. */
  readonly finish?: string;
  /** Why text was not in the cache, in the provider's words: some report this on request. */
  readonly cacheMiss?: string;
  /** Ids of the calls that the host has to answer. */
  readonly calls: readonly string[];
  /** Names of the tools of these calls, each once. */
  readonly calledTools: readonly string[];
}
