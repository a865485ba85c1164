import { expect, test } from "vitest";
import { readUsage } from "../../../src/hosts/ai-sdk/read-usage.ts";

test.each([
  [
    "V4",
    {
      inputTokens: { total: 1_103, noCache: 3, cacheRead: 1_000, cacheWrite: 100 },
      outputTokens: { total: 20, text: 15, reasoning: 5 },
    },
    { input: 3, cacheRead: 1_000, cacheWrite: 100, output: 20 },
  ],
  [
    "V3 made from V2, the cache within the total",
    { inputTokens: { total: 1_100, noCache: undefined, cacheRead: 1_000 }, outputTokens: { total: 20 } },
    { input: 100, cacheRead: 1_000, cacheWrite: 0, output: 20 },
  ],
  [
    "V2, the cache beside the total",
    { inputTokens: 3, outputTokens: 20, totalTokens: 23, cachedInputTokens: 1_000 },
    { input: 3, cacheRead: 1_000, cacheWrite: 0, output: 20 },
  ],
  [
    "Mastra's",
    { inputTokens: 1_103, outputTokens: 20, cachedInputTokens: 1_000, cacheCreationInputTokens: 100 },
    { input: 3, cacheRead: 1_000, cacheWrite: 100, output: 20 },
  ],
  ["input alone", { inputTokens: 7 }, { input: 7, cacheRead: 0, cacheWrite: 0, output: 0 }],
  ["nothing known", { inputTokens: { total: undefined }, outputTokens: { total: undefined } }, undefined],
  ["no numbers", { inputTokens: Number.NaN, outputTokens: "20" }, undefined],
  ["nothing", undefined, undefined],
])("%s", (_, given, usage) => {
  expect(readUsage(given)).toEqual(usage);
});
