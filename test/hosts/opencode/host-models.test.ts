import { describe, expect, it } from "vitest";
import { describeModel } from "../../../src/hosts/opencode/host-models.ts";
import { overridesFrom } from "../../../src/hosts/plugin/model-overrides.ts";
import { profileFor } from "../../../src/models/profile-for.ts";

const compatible = { api: { npm: "@ai-sdk/openai-compatible" } };

describe("what OpenCode says of a model", () => {
  it.each([
    ["the window less the answer", { context: 200_000, output: 8_000 }, 192_000],
    ["never more than OpenCode asks for", { context: 200_000, output: 128_000 }, 168_000],
    ["a limit of its own for input", { context: 400_000, input: 272_000, output: 128_000 }, 252_000],
    ["an answer of unknown length", { context: 128_000, output: 0 }, 96_000],
    ["an answer as long as the window", { context: 8_000, output: 8_000 }, 8_000],
    ["nothing known", { context: 0, output: 0 }, undefined],
    ["no limits", undefined, undefined],
  ])("window: %s", (_, limit, window) => {
    expect(describeModel({ limit }).window).toBe(window);
  });

  it.each([
    [
      "all of them",
      { input: 3, cache: { read: 0.3, write: 3.75 } },
      { dollarsPerMillion: 3, read: 0.1, write: 1.25 },
    ],
    [
      "no price for writing",
      { input: 2, cache: { read: 0.5, write: 0 } },
      { dollarsPerMillion: 2, read: 0.25 },
    ],
    ["free", { input: 0, cache: { read: 0, write: 0 } }, {}],
    ["missing", undefined, {}],
  ])("prices: %s", (_, cost, prices) => {
    expect(describeModel({ cost })).toEqual(prices);
  });

  it.each([
    [
      "a field of its own",
      { ...compatible, capabilities: { interleaved: { field: "reasoning_content" } } },
      "field",
    ],
    [
      "reasoning, no field named",
      { ...compatible, capabilities: { interleaved: false, reasoning: true } },
      "field",
    ],
    ["none", { ...compatible, capabilities: { interleaved: false, reasoning: false } }, "none"],
    ["another SDK: as the tables say", { api: { npm: "@ai-sdk/anthropic" } }, undefined],
  ])("reasoning: %s", (_, model, rule) => {
    expect(describeModel(model).reasoning).toBe(rule);
  });

  it("has less precedence than the user's configuration", () => {
    const model = { limit: { context: 100_000, output: 4_000 }, cost: { input: 2, cache: { read: 1 } } };
    const models = [["house-1", describeModel(model)]] as const;
    const overrides = overridesFrom(models, { "*": { read: 0.05 }, "house-*": { window: 50_000 } });
    expect(profileFor("house-1", overrides)).toMatchObject({ window: 50_000, dollarsPerMillion: 2 });
    expect(profileFor("house-1", overrides).cache.read).toBe(0.05);
    expect(profileFor("other", overrides).cache.read).toBe(0.05);
  });

  it("if two providers have a model, the first is used", () => {
    const models = [
      ["x", { window: 9 }],
      ["x", { window: 19 }],
    ] as const;
    expect(overridesFrom(models, {})).toEqual({ x: { window: 9 } });
  });
});
