import { describe, expect, test } from "vitest";
import type { ClearingRule } from "../../src/transcript/clearing-rule.ts";
import { readClearing } from "../../src/wires/read-clearing.ts";

const TYPE = "clear_tool_uses_20250919";

describe("the rule by which a request asks the provider to clear results", () => {
  test.each<[string, object, ClearingRule | undefined]>([
    ["as it is where nothing is said", { type: TYPE }, { aboveTokens: 100_000, keep: 3 }],
    [
      "all of it",
      {
        type: TYPE,
        trigger: { type: "input_tokens", value: 30_000 },
        keep: { type: "tool_uses", value: 5 },
        clear_at_least: { type: "input_tokens", value: 5_000 },
        exclude_tools: ["memory"],
        clear_tool_inputs: true,
      },
      { aboveTokens: 30_000, keep: 5, least: 5_000, spared: ["memory"], inputs: true },
    ],
    ["by calls", { type: TYPE, trigger: { type: "tool_uses", value: 10 } }, { aboveCalls: 10, keep: 3 }],
    [
      "inputs of some tools",
      { type: TYPE, clear_tool_inputs: ["write"] },
      { aboveTokens: 100_000, keep: 3, inputs: ["write"] },
    ],
    [
      "null is nothing",
      { type: TYPE, trigger: null, exclude_tools: null, clear_tool_inputs: false },
      { aboveTokens: 100_000, keep: 3 },
    ],
    ["another edit", { type: "clear_thinking_20251015", keep: "all" }, undefined],
    ["unknown words", { type: TYPE, keep: { type: "share", value: 0.5 } }, undefined],
    ["a trigger that we do not know", { type: TYPE, trigger: { type: "time", value: 1 } }, undefined],
    ["more names than anybody has", { type: TYPE, exclude_tools: Array(10_000).fill("x") }, undefined],
  ])("%s", (_, edit, rule) => {
    const thinking = { type: "clear_thinking_20251015", keep: "all" };
    expect(readClearing({ edits: [thinking, edit] })).toEqual(rule);
  });

  test.each([[undefined], [null], [7], [{}], [{ edits: {} }], [{ edits: [null, 3, {}] }]])(
    "%j is not a rule",
    (value) => {
      expect(readClearing(value)).toBeUndefined();
    },
  );
});
