import type { CacheMark } from "./cache-mark.ts";
import type { ClearingRule } from "./clearing-rule.ts";
import type { Part, Role } from "./part.ts";

/** Tokens as the provider counted them for one model response. Missing or all-zero means unknown. */
export interface Usage {
  /** Input tokens that were neither read from nor written to the cache. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Of `cacheWrite`, what was written for the longer cache that a request may ask for: it costs more. */
  readonly longWrite?: number;
  /** Reasoning included. */
  readonly output: number;
}

/** What the pruner was told of a request beside its messages. A missing field was not told. */
export interface RequestTerms {
  /** When its newest input arrived, in milliseconds since 1970: it tells whether the cache was still warm. */
  readonly time?: number;
  readonly model?: string;
  /** In tokens, where the host gave another than the model's own. */
  readonly window?: number;
  /** Tokens of what stands before the first message: system prompt and tool definitions, without Coppice's own. */
  readonly prefixTokens?: number;
  /** Tokens that Coppice itself adds to that: its tools and its system text. */
  readonly overheadTokens?: number;
  /** How long it asked the provider to keep its prefix, in milliseconds. */
  readonly ttl?: number;
  /** Where its cache marks stand. Without it: at the end of what stands before the first message, and at the end. */
  readonly marks?: readonly CacheMark[];
  /** The host sets one more mark for Coppice, where `report.mark` asks for it. */
  readonly mayMark?: true;
  /** When the request before it was last sent again to keep its prefix cached, in milliseconds since 1970. */
  readonly warmedAt?: number;
  /** By which rule it asked the provider to clear old results itself. */
  readonly clears?: ClearingRule;
}

/** What a host or a recording knows of a message beside the message itself. */
export interface MessageMeta {
  /** When this input was complete, in milliseconds since 1970. */
  readonly time?: number;
  /** Of the response in this (assistant) message. An explicit `undefined` hides what the message itself says. */
  readonly usage?: Usage | undefined;
  /** What the request for this response cost in US dollars, where the host says. */
  readonly cost?: number;
  /** The model that gave this (assistant) message. */
  readonly model?: string;
  /** What the pruner was told of the request that this message answers: `report.asked` of that request. */
  readonly terms?: RequestTerms;
  /** Calls whose results in this message the host has cut itself. */
  readonly cleared?: readonly string[];
}

/** One host message, taken apart. Parts stand in wire order: a step's calls before its results. */
export interface DecodedMessage extends MessageMeta {
  readonly role: Role;
  /** What the host calls a message of the role `custom`. */
  readonly customType?: string;
  /** The host's own id, for reports only. */
  readonly id?: string;
  readonly parts: readonly Part[];
  /** The host's own compaction: everything up to here is one unsent input. */
  readonly isCompaction?: true;
  /** One of several items that may make up a response: behind another such item it opens no step. */
  readonly isItem?: true;
}
