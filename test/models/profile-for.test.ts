import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { doubtPrices } from "../../src/models/doubt-prices.ts";
import { findListed, MISSING } from "../../src/models/prices.ts";
import type { ReasoningRule, TokenizerName } from "../../src/models/profile.ts";
import { profileCachedFor, profileFor, profilePricedAs } from "../../src/models/profile-for.ts";

const MINUTE = 60_000;

// Prices come from the library: a row here that changes with a new version of it belongs in the changelog.
test.each<
  [
    model: string,
    window: number,
    dollars: number,
    write: number,
    read: number,
    ttl: number,
    minimumPrefix: number,
  ]
>([
  ["claude-3-5-sonnet-20241022", 200_000, 3, 1.25, 0.1, 5, 1_024],
  ["claude-3-haiku-20240307", 200_000, 0.25, 1.2, 0.12, 5, 2_048],
  ["claude-haiku-4-5-20251001", 200_000, 1, 1.25, 0.1, 5, 4_096],
  ["claude-sonnet-4-5-20250929", 200_000, 3, 1.25, 0.1, 5, 1_024],
  ["claude-opus-4-5", 200_000, 5, 1.25, 0.1, 5, 4_096],
  ["claude-opus-4-8", 1_000_000, 5, 1.25, 0.1, 5, 1_024],
  ["claude-opus-5", 1_000_000, 5, 1.25, 0.1, 5, 512],
  ["claude-opus-5-5", 1_000_000, 4, 1.25, 0.05, 5, 512],
  ["claude-fable-5-1", 1_000_000, 10, 1.25, 0.025, 5, 512],
  // not in the library yet
  ["claude-mythos-5", 1_000_000, 10, 1.25, 0.1, 5, 512],
  ["claude-mythos-5.1", 1_000_000, 10, 1.25, 0.025, 5, 512],
  ["claude-sonnet-5-5-20260915", 1_000_000, 2, 1.25, 0.05, 5, 512],
  ["claude-haiku-5-5", 1_000_000, 0.1, 1.25, 0.1, 5, 512],
  ["gpt-4o", 128_000, 2.5, 1, 0.5, 10, 1_024],
  ["gpt-5", 400_000, 1.25, 1, 0.1, 10, 1_024],
  // no cache price in the list: no cache
  ["gpt-5-pro", 400_000, 15, 1, 1, 10, 1_024],
  // more expensive above 272,000 tokens: the base tier is used
  ["gpt-5.4", 1_050_000, 2.5, 1, 0.1, 10, 1_024],
  ["gpt-5.6", 1_050_000, 4, 1.25, 0.1, 30, 1_024],
  ["gemini-2.5-pro", 1_048_576, 1.25, 1, 0.1, 5, 2_048],
  ["gemini-3-flash-preview", 1_000_000, 0.5, 1, 0.1, 5, 4_096],
  ["deepseek-chat", 128_000, 0.27, 1, 0.1, 180, 64],
  ["deepseek-v4-flash", 1_000_000, 0.22, 1, 0.0318, 180, 64],
  ["kimi-k2-thinking", 262_144, 0.6, 1, 0.25, 5, 1_024],
  // The list's write price (1.25) is for a cache that a request asks for.
  ["qwen3-coder-plus", 1_000_000, 0.65, 1, 0.2, 5, 1_024],
  // only OpenRouter has a price
  ["glm-4.6", 200_000, 0.43, 1, 0.186, 5, 1_024],
])("%s", (model, window, dollarsPerMillion, write, read, ttl, minimumPrefix) => {
  expect(profileFor(model)).toMatchObject({
    id: model,
    window,
    dollarsPerMillion,
    cache: { write, read, ttl: ttl * MINUTE, minimumPrefix },
    known: true,
  });
});

test.each([
  ["claude-sonnet-4-5", 5],
  ["gpt-5", 8],
  ["gemini-2.5-pro", 8],
  ["house-model", 5],
])("a token of output of %s costs %d of input", (model, output) => {
  expect(profileFor(model).output).toBe(output);
});

describe("one model under many names", () => {
  test.each<[model: string, others: readonly string[]]>([
    [
      "claude-sonnet-4-5",
      [
        "claude-sonnet-4-5-20250929",
        "claude-sonnet-4.5",
        "Claude-Sonnet-4.5",
        "anthropic/claude-sonnet-4.5",
        "openrouter/anthropic/claude-sonnet-4.5:thinking",
        "anthropic:claude-sonnet-4-5",
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "bedrock/converse/eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "vertex_ai/claude-sonnet-4-5@20250929",
        "opencode/claude-sonnet-4-5",
      ],
    ],
    [
      "claude-3-5-sonnet",
      [
        "litellm_proxy/claude-3-5-sonnet-20241022",
        "litellm_proxy/anthropic.claude-3-5-sonnet-20241022-v2:0",
        "claude-3.5-sonnet",
      ],
    ],
    [
      "claude-opus-4-6",
      ["claude-opus-4.6", "arn:aws:bedrock:x:1:inference-profile/us.anthropic.claude-opus-4-6-v1"],
    ],
    ["claude-fable-5-1", ["claude-fable-5.1", "claude-fable-5-1-20260901"]],
    ["gpt-5", ["openai/gpt-5", "gpt-5-2025-08-07", "gpt-5-codex-high"]],
    ["gpt-5.4", ["gpt-5-4", "azure/gpt-5.4"]],
    [
      "gemini-3-flash-preview",
      ["gemini-3-flash", "models/gemini-3-flash-preview", "google/gemini-3-flash-preview"],
    ],
    ["deepseek-v4-flash", ["deepseek-v4-flash-free", "opencode/deepseek-v4-flash-free"]],
    ["deepseek-r1", ["deepseek/deepseek-r1:free"]],
    ["kimi-k2-thinking", ["moonshotai/Kimi-K2-Thinking"]],
    ["qwen3-coder", ["qwen/qwen3-coder:free", "QWEN/qwen3-coder"]],
  ])("%s", (model, others) => {
    const { id: _, plainId: _plain, ...expected } = profileFor(model);
    expect(expected.known).toBe(true);
    for (const other of others) {
      const { id, plainId: _plain, ...found } = profileFor(other);
      expect(id).toBe(other);
      expect([other, found]).toEqual([other, expected]);
    }
  });
});

test.each<[takes: boolean, models: readonly string[]]>([
  [
    false,
    [
      "mistral-large-2411",
      "mistralai/Devstral-Small-2507",
      "devstral-medium-latest",
      "labs-devstral-small-2512",
    ],
  ],
  [false, ["codestral-latest", "magistral-medium-2509", "ministral-8b-latest", "pixtral-large-latest"]],
  [false, ["open-mixtral-8x22b", "open-mistral-nemo", "mixtral-8x7b", "mistral.pixtral-large-2502-v1:0"]],
  [true, ["gpt-5", "claude-sonnet-4-5", "gemini-2.5-pro", "kimi-k2-thinking", "house-model", "qwen3-coder"]],
])("a user message directly after a result: %s", (takes, models) => {
  expect(models.filter((model) => profileFor(model).userAfterResult !== takes)).toEqual([]);
});

test.each([
  [false, ["gemini-2.5-pro", "google/gemini-3-flash", "models/gemini-3.1-pro-preview", "gemini-9-ultra"]],
  // mistral-common allows an assistant message after another since 1.1.
  [true, ["gpt-5", "claude-sonnet-4-5", "devstral-medium-latest", "mistral-large-latest", "house-model"]],
])("calls in a response directly after another response: %s", (takes, models) => {
  expect(models.filter((model) => profileFor(model).callAfterResponse !== takes)).toEqual([]);
});

test("the model whose prices are used does not affect the order of messages", () => {
  expect(profilePricedAs("gemini-2.5-pro", "gpt-5").callAfterResponse).toBe(false);
  expect(profilePricedAs("devstral-medium-latest", "gpt-5").userAfterResult).toBe(false);
  expect(profilePricedAs("gpt-5", "devstral-medium-latest").userAfterResult).toBe(true);
});

test("[1m] is the same model with a window of a million tokens", () => {
  const plain = profileFor("claude-sonnet-4-5");
  expect(profileFor("claude-sonnet-4-5[1m]")).toEqual({
    ...plain,
    id: "claude-sonnet-4-5[1m]",
    window: 1_000_000,
  });
  expect(profileFor("gpt-5.4[1m]").window).toBe(1_050_000);
});

test.each<[reasoning: ReasoningRule, tokenizer: TokenizerName, models: readonly string[]]>([
  ["none", "claude", ["claude-3-5-sonnet-20241022", "claude-3-opus-20240229", "claude-3-5-haiku-latest"]],
  [
    "signed",
    "claude",
    ["claude-3-7-sonnet", "claude-opus-4-20250514", "claude-haiku-4-5", "claude-sonnet-4.5"],
  ],
  ["signed", "claude", ["claude-opus-4.8", "claude-opus-5", "claude-opus-5-20260901", "claude-fable-5"]],
  ["signed", "claude", ["claude-sonnet-5", "claude-mythos-5-1"]],
  [
    "bound",
    "claude",
    ["claude-fable-5-1", "anthropic/claude-opus-5.5", "claude-sonnet-5-5", "claude-haiku-5-5"],
  ],
  ["bound", "claude", ["us.anthropic.claude-opus-6-20270101-v1:0", "claude-opus-6"]],
  ["none", "o200k", ["gpt-4o", "gpt-4.1-mini", "gpt-5.5", "o3", "chatgpt-4o-latest", "gpt-oss-120b"]],
  ["none", "cl100k", ["gpt-4", "gpt-4-turbo", "gpt-4-1106-preview", "gpt-3.5-turbo"]],
  [
    "none",
    "o200k",
    ["gemini-3.1-pro-preview", "deepseek-chat", "deepseek-v3.2", "kimi-k2", "glm-5", "grok-4"],
  ],
  ["field", "o200k", ["deepseek-reasoner", "deepseek-r1", "deepseek-v4-flash-free", "deepseek-v4-pro"]],
  ["field", "o200k", ["kimi-k2-thinking", "moonshotai/Kimi-K2-Thinking", "kimi-k2.5", "kimi-k3"]],
  ["signed", "claude", ["big-pickle", ""]],
])("%s, %s: %j", (reasoning, tokenizer, models) => {
  for (const model of models) expect(profileFor(model)).toMatchObject({ id: model, reasoning, tokenizer });
});

describe("a model that the library does not know", () => {
  test.each([undefined, "", "opencode/big-pickle", "house-model"])("gets Anthropic's row: %j", (model) => {
    expect(profileFor(model)).toEqual({
      id: model ?? "",
      plainId: model?.replace("opencode/", "") ?? "",
      window: 200_000,
      cache: { write: 1.25, read: 0.1, ttl: 5 * MINUTE, minimumPrefix: 1_024, marks: true },
      output: 5,
      longCache: { write: 2, ttl: 60 * MINUTE },
      tokensPerEstimate: 1,
      tokenizer: "claude",
      reasoning: "signed",
      userAfterResult: true,
      callAfterResponse: true,
      known: false,
      cacheKnown: false,
    });
  });

  test("gets its family's if that is clear", () => {
    expect(profileFor("gemini-9-ultra")).toMatchObject({
      window: 1_048_576,
      cache: { write: 1, read: 0.1 },
      known: false,
    });
    expect(profileFor("claude-opus-9")).toMatchObject({ window: 200_000, reasoning: "bound", known: false });
  });
});

describe("a price that no list has", () => {
  test.each([
    ["claude-opus-9", false, false],
    ["house-model", false, false],
    // only plain input has a price
    ["gpt-5-pro", true, false],
    ["claude-fable-5-1", true, true],
    ["gpt-5", true, true],
    ["deepseek-chat", true, true],
  ])("%s: model known %s, cache prices known %s", (model, known, cacheKnown) => {
    expect(profileFor(model)).toMatchObject({ known, cacheKnown });
  });

  test("is not that of an older model whose name begins alike", () => {
    expect(profileFor("claude-sonnet-5-7")).toMatchObject({ known: false, cacheKnown: false });
    expect(profileFor("claude-sonnet-5-7")).not.toHaveProperty("dollarsPerMillion");
    expect(profileFor("claude-sonnet-5-20260601")).toMatchObject({ dollarsPerMillion: 2, known: true });
  });

  test("is known once the configuration has it", () => {
    expect(profileFor("house-model", { "house-model": { read: 0.025 } }).cacheKnown).toBe(true);
    expect(profileFor("house-model", { "house-model": { dollarsPerMillion: 3 } }).cacheKnown).toBe(false);
  });

  test("is reported, with the assumed value", () => {
    const say = (model: string) => doubtPrices(profileFor(model)).map(({ code, message }) => [code, message]);
    expect(say("gpt-5")).toEqual([]);
    expect(say("gpt-5-pro")).toEqual([
      [
        "cache-prices-assumed",
        "no price list has cache prices for the model gpt-5-pro; assumed: cache reads at 1 and writes at 1 times the price of plain input; set schedule.prices",
      ],
    ]);
    expect(say("claude-opus-9")).toEqual([
      [
        "unknown-model",
        "no price list has the model claude-opus-9; assumed: a window of 200,000 tokens, cache reads at 0.1 and writes at 1.25 times the price of plain input; set schedule.prices",
      ],
    ]);
  });

  test("models in our own list are not in the library, which would have precedence", () => {
    for (const id of MISSING.keys()) expect([id, findListed([id])]).toEqual([id, undefined]);
  });
});

describe("overrides", () => {
  test("an id that is written out means itself, brackets and all", () => {
    const overrides = { "house-model[1m]": { window: 900_000 } };
    expect(profileFor("house-model[1m]", overrides)).toMatchObject({ window: 900_000 });
    expect(profileFor("house-model[1m]", { "other[1m]": { window: 5 } }).window).not.toBe(5);
  });

  test("apply to all models, to an id and to a glob; the more specific ones win in the order written", () => {
    const overrides = {
      "claude-*": { read: 0.03, window: 500_000 },
      "*": { read: 0.02, ttl: 60 * MINUTE, write: 2 },
      "claude-opus-5": { window: 900_000, reasoning: "bound" },
    } as const;
    expect(profileFor("anthropic/claude-opus-5", overrides)).toMatchObject({
      window: 900_000,
      dollarsPerMillion: 5,
      cache: { write: 2, read: 0.03, ttl: 60 * MINUTE, minimumPrefix: 512 },
      reasoning: "bound",
    });
    expect(profileFor("gpt-5", overrides)).toMatchObject({
      window: 400_000,
      cache: { write: 2, read: 0.02, ttl: 60 * MINUTE, minimumPrefix: 1_024 },
      reasoning: "none",
    });
  });

  test("name a model with its provider, too", () => {
    const overrides = {
      "anthropic/*": { dollarsPerMillion: 1, tokenizer: "o200k", minimumPrefix: 7 },
    } as const;
    expect(profileFor("anthropic/claude-opus-5", overrides)).toMatchObject({
      dollarsPerMillion: 1,
      tokenizer: "o200k",
      cache: { minimumPrefix: 7 },
    });
    expect(profileFor("claude-opus-5", overrides)).toMatchObject({
      dollarsPerMillion: 5,
      tokenizer: "claude",
    });
  });

  test("do not make a model known", () => {
    expect(profileFor("house-model", { "*": { window: 32_000 } })).toMatchObject({
      window: 32_000,
      known: false,
    });
  });
});

test.each([
  ["claude-sonnet-4-5", "claude-sonnet-4-5-20250929"],
  ["anthropic/claude-sonnet-4.5", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"],
  ["claude-opus-4-6[1m]", "claude-opus-4-6"],
  ["gpt-5", "openai/gpt-5-2025-08-07"],
  ["devstral-medium-latest", "devstral-medium"],
])("%s and %s are one model", (asked, answered) => {
  expect(profileFor(asked).plainId).toBe(profileFor(answered).plainId);
  expect(profileFor(asked).id).toBe(asked);
});

test.each([
  ["claude-sonnet-4-5", "claude-sonnet-4"],
  ["gpt-5", "gpt-5-mini"],
  ["kimi-k2", "kimi-k2-thinking"],
])("%s and %s are two", (one, other) => {
  expect(profileFor(one).plainId).not.toBe(profileFor(other).plainId);
});

test("under another model's prices: its window and money, the session's own name and reasoning", () => {
  const claude = profileFor("claude-sonnet-4-5");
  const alias = profileFor("house-model", { "house-model": { reasoning: "field" } });
  const priced = profilePricedAs("house-model", "gpt-5", { "house-model": { reasoning: "field" } });
  const { window, cache, output, dollarsPerMillion } = profileFor("gpt-5");
  const { longCache: _, ...own } = alias;
  expect(priced).toEqual({ ...own, window, cache, output, dollarsPerMillion, known: true, cacheKnown: true });
  expect(profilePricedAs(undefined, "claude-sonnet-4-5")).toEqual(claude);
  expect(profilePricedAs("claude-sonnet-4-5", null)).toBe(claude);
  expect(profilePricedAs("gpt-5", "house-model")).not.toHaveProperty("dollarsPerMillion");
});

test("a request that asks for a longer cache gets it if the provider has one, at its price", () => {
  const claude = profileFor("claude-sonnet-4-5");
  expect(profileCachedFor(claude, 60 * MINUTE).cache).toEqual({
    ...claude.cache,
    write: 2,
    ttl: 60 * MINUTE,
  });
  for (const ttl of [undefined, 5 * MINUTE]) expect(profileCachedFor(claude, ttl)).toBe(claude);
  const gpt = profileFor("gpt-5");
  expect(profileCachedFor(gpt, 60 * MINUTE)).toBe(gpt);
});

test("the same arguments return the same object", () => {
  const overrides = {};
  expect(profileFor("gpt-5")).toBe(profileFor("gpt-5"));
  expect(profileFor("gpt-5", overrides)).toBe(profileFor("gpt-5", overrides));
  expect(profileFor("gpt-5", overrides)).not.toBe(profileFor("gpt-5", { "*": { read: 1 } }));
});

test("uses neither the network nor the clock", () => {
  const ask = () => {
    throw new Error("asked");
  };
  vi.stubGlobal("fetch", ask);
  vi.useFakeTimers({ now: 0 });
  try {
    expect(profileFor("gpt-5.6-terra", {})).toMatchObject({ dollarsPerMillion: 2, known: true });
  } finally {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  }
});

// Names only, from the recorded sessions next to the repository; without them there is nothing to check.
const index = resolve("../shared/data/sessions/INDEX.tsv");
test.skipIf(!existsSync(index))("every model of the recorded sessions is known", () => {
  const [header, ...rows] = readFileSync(index, "utf8").trimEnd().split("\n");
  const column = header?.split("\t").indexOf("models") ?? -1;
  const models = new Set(rows.flatMap((row) => row.split("\t")[column]?.split(",") ?? []).filter(Boolean));
  expect(models.size).toBeGreaterThan(20);
  expect([...models].filter((model) => !profileFor(model).known)).toEqual([]);
});
