import type { CacheMark } from "./cache-mark.ts";
import type { ClearingRule } from "./clearing-rule.ts";
import type { Part, Role } from "./part.ts";

/** Tokens as the provider counted them for one model response. Missing or all-zero means unknown. */
export interface Usage {
  /** Input tokens that were neither read from nor written to the cache. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of `cacheWrite` that was written to the longer cache that a request may ask for: it costs more. */
  readonly longWrite?: number;
  /** Reasoning included. */
  readonly output: number;
}

/** What is known of a request besides its messages. A missing field is unknown. */
export interface RequestTerms {
  /** When its newest input arrived, in milliseconds since 1970: it shows whether the cache was still warm. */
  readonly time?: number;
  readonly model?: string;
  /** In tokens, if the host set another than the model's own. */
  readonly window?: number;
  /** Tokens of the text before the first message: system prompt and tool definitions, without Coppice's own. */
  readonly prefixTokens?: number;
  /** Tokens that Coppice itself adds to that text: its tools and its system text. */
  readonly overheadTokens?: number;
  /** How long it asked the provider to keep its prefix, in milliseconds. */
  readonly ttl?: number;
  /** The places of its cache marks. Default: at the end of the text before the first message, and at the end. */
  readonly marks?: readonly CacheMark[];
  /** The host sets one more mark for Coppice, at `report.mark`. */
  readonly mayMark?: true;
  /** When the previous request was last sent again to keep its prefix cached, in milliseconds since 1970. */
  readonly warmedAt?: number;
  /** The rule by which it asked the provider to clear old results. */
  readonly clears?: ClearingRule;
}

/** The data of a host or a recording on a message, in addition to the message itself. */
export interface MessageMeta {
  /** When this input was complete, in milliseconds since 1970. */
  readonly time?: number;
  /** Of the response in this (assistant) message. An explicit `undefined` hides the message's own usage. */
  readonly usage?: Usage | undefined;
  /** The cost of the request for this response in US dollars, if the host gives it. */
  readonly cost?: number;
  /** The model that wrote this (assistant) message. */
  readonly model?: string;
  /** The terms of the request that this message answers: `report.terms` of that request. */
  readonly terms?: RequestTerms;
  /** Calls whose results in this message the host has cut itself. */
  readonly cleared?: readonly string[];
}

/** One decoded host message. Parts are in wire order: a step's calls before its results. */
export interface DecodedMessage extends MessageMeta {
  readonly role: Role;
  /** The host's name for a message of the role `custom`. */
  readonly customType?: string;
  /** The host's own id, for reports only. */
  readonly id?: string;
  readonly parts: readonly Part[];
  /** The host's own compaction: everything up to here is one unsent input. */
  readonly isCompaction?: true;
  /** One of several items that may make up a response: after another such item, it opens no step. */
  readonly isItem?: true;
}
