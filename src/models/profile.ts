/**
 * A provider's requirement for reasoning in the history. none: nothing. field: an assistant message with calls
 * keeps its (possibly shortened) reasoning field. signed: blocks may be dropped whole outside the current tool
 * loop, never rewritten. bound: as signed, and a block becomes invalid if anything before it is edited.
 */
export type ReasoningRule = "none" | "field" | "signed" | "bound";

/** Prices per token, relative to plain input. */
export interface CachePrices {
  /** Writing text to the cache (w). */
  readonly write: number;
  /** Reading a cached prefix (r). */
  readonly read: number;
  /** How long a prefix stays cached after its last use, in milliseconds. */
  readonly ttl: number;
  /** Prefixes shorter than this are never cached, in tokens. */
  readonly minimumPrefix: number;
  /** Entries are kept only at a request's cache marks. If unset, every prefix is cached. */
  readonly marks?: true;
  /** A cached prefix is a whole number of units of this many tokens. */
  readonly unit?: number;
  /** A request may name a key for its prefix, and a lifetime. */
  readonly keyed?: true;
}

/** A cache that a request may ask for: a prefix stays longer, and writing it costs more. */
export type LongCache = Pick<CachePrices, "ttl" | "write">;

/** The whole price of a request with more input than `above` is multiplied by this factor. */
export interface LongContext {
  readonly above: number;
  readonly input: number;
  readonly output: number;
}

export type TokenizerName = "o200k" | "cl100k" | "claude";

/** All data on a model. Plain data. */
export interface ModelProfile {
  /** The argument of `profileFor`. */
  readonly id: string;
  /** One id for all names of the model, without a date: `claude-sonnet-4-5`. */
  readonly plainId: string;
  /** Context window in tokens. */
  readonly window: number;
  /** US dollars per million plain input tokens; undefined if unknown. */
  readonly dollarsPerMillion?: number;
  readonly cache: CachePrices;
  /** A token of output, relative to plain input. */
  readonly output: number;
  readonly longCache?: LongCache;
  readonly longContext?: LongContext;
  /** The cache then also contains the response when it comes back in the next request. */
  readonly cachesAnswers?: true;
  /** The provider's tokens per estimated token, measured on recorded sessions. */
  readonly tokensPerEstimate: number;
  readonly tokenizer: TokenizerName;
  readonly reasoning: ReasoningRule;
  /** May a user message follow a tool's result? If not, the provider requires an assistant message between them. */
  readonly userAfterResult: boolean;
  /** May a response with calls follow another response? If not, the provider requires an input between them. */
  readonly callAfterResponse: boolean;
  /** False if no price list has the model: the window is an assumption, and the report says so. */
  readonly known: boolean;
  /** False if neither a price list nor the configuration has a price for cached text: `cache` is an assumption. */
  readonly cacheKnown: boolean;
}

/** The rules of a model's provider that decide what may be dropped. */
export type DropRules = Pick<ModelProfile, "reasoning" | "userAfterResult" | "callAfterResponse">;

/** The user's values for a model; they replace those of the tables. */
export interface ModelOverride
  extends Partial<Pick<CachePrices, "write" | "read" | "ttl" | "minimumPrefix">> {
  readonly window?: number;
  readonly dollarsPerMillion?: number;
  readonly reasoning?: ReasoningRule;
  readonly tokenizer?: TokenizerName;
}

/** By model id or glob, with or without the provider's prefix; `*` is for all models. */
export type ModelOverrides = Readonly<Record<string, ModelOverride>>;
