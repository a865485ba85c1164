/**
 * What a provider wants of reasoning in history.
 * none: nothing. field: an assistant message with calls keeps its (possibly shortened) reasoning field.
 * signed: blocks may be dropped whole outside the current tool loop, never rewritten.
 * bound: as signed, and a block is void when anything before it was edited.
 */
export type ReasoningRule = "none" | "field" | "signed" | "bound";

/** Prices per token, relative to plain input. */
export interface CachePrices {
  /** Text written to the cache (w). */
  readonly write: number;
  /** A cached prefix (r). */
  readonly read: number;
  /** How long a prefix stays cached after its last use, in milliseconds. */
  readonly ttl: number;
  /** Prefixes shorter than this are never cached, in tokens. */
  readonly minimumPrefix: number;
}

export type TokenizerName = "o200k" | "cl100k" | "claude";

/** Everything the engine knows of a model. Plain data. */
export interface ModelProfile {
  /** The name that it was asked for by. */
  readonly id: string;
  /** The same for all its names, without a date: `claude-sonnet-4-5`. */
  readonly plainId: string;
  /** Context window in tokens. */
  readonly window: number;
  /** Money for one million plain input tokens, in US dollars; undefined when not known. */
  readonly dollarsPerMillion?: number;
  readonly cache: CachePrices;
  readonly tokenizer: TokenizerName;
  readonly reasoning: ReasoningRule;
  /** May what a user says stand right behind a tool's result? Else the provider wants the model's word between them. */
  readonly userAfterResult: boolean;
  /** False when the model is not known and the default row stands in for it: the report says so. */
  readonly known: boolean;
}

/** What replaces the tables' word on a model. */
export interface ModelOverride extends Partial<CachePrices> {
  readonly window?: number;
  readonly dollarsPerMillion?: number;
  readonly reasoning?: ReasoningRule;
  readonly tokenizer?: TokenizerName;
}

/** By model id or a glob over model ids, with or without the provider's prefix; `*` is for all. */
export type ModelOverrides = Readonly<Record<string, ModelOverride>>;
