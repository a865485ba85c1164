import { expect, it } from "vitest";
import { describeModel } from "../../../src/hosts/pi/pi-models.ts";

it.each([
  [{ contextWindow: 200_000 }, { window: 183_616 }],
  [{ contextWindow: 8_000 }, { window: 8_000 }],
  [{ contextWindow: 0, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }, {}],
  [
    { cost: { input: 3, cacheRead: 0.3, cacheWrite: 3.75 } },
    { dollarsPerMillion: 3, read: 0.1, write: 1.25 },
  ],
  [{ api: "openai-completions", reasoning: true }, { reasoning: "field" }],
  [{ api: "openai-completions", reasoning: false }, { reasoning: "none" }],
  [{ api: "anthropic-messages", reasoning: true }, {}],
])("%j", (model, override) => {
  expect(describeModel(model)).toEqual(override);
});
