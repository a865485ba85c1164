import type { CachePrices, LongCache, ReasoningRule, TokenizerName } from "./profile.ts";

/** Properties of a group of models that no price library has. */
export interface Family {
  /** Matches names in the spelling of `dashed`. */
  readonly ids: RegExp;
  /** The first version that belongs to it. */
  readonly since?: number;
  readonly reasoning: ReasoningRule;
  /** The provider refuses a user message directly after a tool's result. */
  readonly userAfterResult?: false;
  /** The provider refuses calls in a response directly after another response. */
  readonly callAfterResponse?: false;
  readonly tokenizer: TokenizerName;
  /** TTL and minimum prefix always apply; write and read only if no list has a price. */
  readonly cache: CachePrices;
  /** A listed write price is for caches that a request asks for. The automatic cache costs nothing to write. */
  readonly writesFree?: true;
  readonly longCache?: LongCache;
  readonly cachesAnswers?: true;
  /** Medians over recorded sessions with usage: `npm run bench:economics` shows the spread. */
  readonly tokensPerEstimate: number;
  /** Used if the library has no window. */
  readonly window: number;
  /** Overrides outdated values of the library. */
  readonly instead?: { readonly window: number; readonly read: number };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Also for unknown models. */
const ANTHROPIC = {
  reasoning: "signed",
  tokenizer: "claude",
  tokensPerEstimate: 1.31,
  cache: { write: 1.25, read: 0.1, ttl: 5 * MINUTE, minimumPrefix: 1_024, marks: true },
  // `cache_control: { ttl: "1h" }`
  longCache: { ttl: HOUR, write: 2 },
  window: 200_000,
} as const satisfies Omit<Family, "ids">;

// These use another vocabulary.
const CLAUDE_5 = { tokensPerEstimate: 1.75 } as const;

// Caches expire 5 to 10 minutes after their last use.
const OPENAI = {
  reasoning: "none",
  tokenizer: "o200k",
  tokensPerEstimate: 1.02,
  cache: { write: 1, read: 0.1, ttl: 10 * MINUTE, minimumPrefix: 1_024, unit: 128, keyed: true },
  window: 200_000,
} as const satisfies Omit<Family, "ids">;

// Implicit caching: nothing is guaranteed, and hits fade within minutes. "Please ensure that function call turn
// comes immediately after a user turn or after a function response turn" (400).
const GOOGLE = {
  reasoning: "none",
  callAfterResponse: false,
  tokenizer: "o200k",
  tokensPerEstimate: 1.21,
  cache: { write: 1, read: 0.1, ttl: 5 * MINUTE, minimumPrefix: 2_048 },
  window: 1_048_576,
} as const satisfies Omit<Family, "ids">;

// Cached on disk, for hours to days, in units of 64 tokens, up to the end of the answer.
const DEEPSEEK = {
  reasoning: "none",
  tokenizer: "o200k",
  tokensPerEstimate: 1.1,
  cachesAnswers: true,
  cache: { write: 1, read: 0.1, ttl: 3 * HOUR, minimumPrefix: 64, unit: 64 },
  window: 128_000,
} as const satisfies Omit<Family, "ids">;

// Most have an automatic cache; usage without cache hits shows that there is none.
const OTHER = {
  reasoning: "none",
  tokenizer: "o200k",
  tokensPerEstimate: 1.1,
  cache: { write: 1, read: 0.2, ttl: 5 * MINUTE, minimumPrefix: 1_024 },
  writesFree: true,
  window: 200_000,
} as const satisfies Omit<Family, "ids">;

function startingAt<T extends { readonly cache: CachePrices }>(row: T, minimumPrefix: number): T {
  return { ...row, cache: { ...row.cache, minimumPrefix } };
}

/** The first row that matches a name is used. */
export const FAMILIES: readonly Family[] = [
  // Mythos 5.1 signs the prefix into a block and does not check it.
  { ids: /^claude-mythos-5-1/, ...startingAt(ANTHROPIC, 512), ...CLAUDE_5 },
  // From Fable 5.1 on, a thinking block becomes invalid if anything before it changes ("preserved thinking").
  { ids: /^claude-/, since: 5.1, ...startingAt(ANTHROPIC, 512), ...CLAUDE_5, reasoning: "bound" },
  { ids: /^claude-.*sonnet/, since: 5, ...ANTHROPIC, ...CLAUDE_5 },
  // Opus 5, Fable 5, Mythos 5: signed, not bound.
  { ids: /^claude-/, since: 5, ...startingAt(ANTHROPIC, 512), ...CLAUDE_5 },
  { ids: /^claude-.*opus/, since: 4.8, ...ANTHROPIC },
  { ids: /^claude-.*(?:opus|haiku)/, since: 4.5, ...startingAt(ANTHROPIC, 4_096) },
  { ids: /^claude-.*haiku/, ...startingAt(ANTHROPIC, 2_048), reasoning: "none" },
  // Thinking came with 3.7.
  { ids: /^claude-/, since: 3.7, ...ANTHROPIC },
  { ids: /^claude-/, ...ANTHROPIC, reasoning: "none" },

  // From 5.6 on, a prefix is kept for 30 minutes, and writing it costs 1.25 (the library knows).
  { ids: /^gpt-/, since: 5.6, ...OPENAI, cache: { ...OPENAI.cache, ttl: 30 * MINUTE } },
  // GPT-4 and before, but not 4o, 4.1 and 4.5.
  { ids: /^gpt-(?:3|4(?!o|-[15](?!\d)))/, ...OPENAI, tokenizer: "cl100k" },
  // The format handles the rule that reasoning items of the Responses API form a unit with their calls.
  { ids: /^(?:gpt|chatgpt|codex|o\d)(?:-|$)/, ...OPENAI },

  // Gemini 3 signs calls, not reasoning: see `CallPart.signed`.
  { ids: /^gemini-/, since: 3, ...startingAt(GOOGLE, 4_096) },
  { ids: /^gemini-/, ...GOOGLE },

  // Thinking mode requires `reasoning_content` on every message with calls, or answers 400.
  { ids: /^deepseek-v[4-9]/, ...DEEPSEEK, reasoning: "field" },
  // The library has these values as of early 2025.
  { ids: /^deepseek-r/, ...DEEPSEEK, reasoning: "field", instead: { window: 128_000, read: 0.1 } },
  { ids: /^deepseek-/, ...DEEPSEEK, instead: { window: 128_000, read: 0.1 } },

  // Like DeepSeek: "thinking is enabled but reasoning_content is missing".
  { ids: /^kimi-(?:.*thinking|k2-[5-9]|k[3-9])/, ...OTHER, reasoning: "field" },
  // "Unexpected role 'user' after role 'tool'" (code 3230); other hosts of the models use the same validator.
  {
    ids: /^(?:open-|labs-)*(?:mistral|ministral|magistral|devstral|codestral|pixtral|voxtral|mixtral|mathstral)/,
    ...OTHER,
    userAfterResult: false,
  },
  { ids: /^(?:kimi|moonshot|glm|qwen|minimax|grok|llama|nova)/, ...OTHER },
];

/**
 * For unknown models: a careful reasoning rule (`signed`) and Anthropic's prices. The profile has `known: false`.
 */
export const UNKNOWN_FAMILY: Family = { ids: /^/, ...ANTHROPIC, tokensPerEstimate: 1 };
