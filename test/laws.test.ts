import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FormatName } from "../src/formats/format.ts";
import type { ReasoningRule } from "../src/models/profile.ts";
import type { PrunerOptions } from "../src/pruner.ts";
import { render, scripts } from "./generate.ts";
import { LAWS, runLive } from "./laws.ts";

const FORMATS: readonly FormatName[] = ["openai-chat", "anthropic-messages", "opencode"];
const RULES: readonly (readonly [ReasoningRule, "none" | "plain" | "signed"])[] = [
  ["none", "none"],
  ["field", "plain"],
  ["signed", "signed"],
  ["bound", "signed"],
];
const MODES = ["rent-or-buy", "eager", "pressure"] as const;

/** A small window makes pressure a matter of course. */
function optionsFor(mode: (typeof MODES)[number], rule: ReasoningRule, tags: boolean): PrunerOptions {
  return {
    agentTools: tags,
    config: { schedule: { mode, prices: { "*": { reasoning: rule } } }, window: 12_000 },
    prefixTokens: 2_000,
  };
}

/** 3 formats × 4 rules × 90 runs: every law is asked of more than 1,000 sessions. */
const RUNS = Number(process.env.LAW_RUNS ?? 90);

describe.each(FORMATS)("%s", (format) => {
  describe.each(RULES)("reasoning: %s", (rule, reasoning) => {
    test.each(Object.entries(LAWS))("law %s", (_, law) => {
      let cut = 0;
      fc.assert(
        fc.property(
          scripts({ reasoning, repeatIds: false }),
          fc.constantFrom(...MODES),
          fc.boolean(),
          (script, mode, tags) => {
            const run = runLive(render(script, format), optionsFor(mode, rule, tags), rule);
            law(run);
            cut += run.requests.at(-1)?.result.report.edits.length ?? 0;
          },
        ),
        { numRuns: RUNS, endOnFailure: true },
      );
      expect(cut, "no generated session was cut: the law was not put to the test").toBeGreaterThan(0);
    });
  });
});

test.each(FORMATS)("%s: repeated call ids are reported, and the laws hold all the same", (format) => {
  fc.assert(
    fc.property(scripts({ reasoning: "none", repeatIds: true }), (script) => {
      const repeated = {
        turns: script.turns.map((turn) => ({
          ...turn,
          steps: turn.steps.map((step) => ({
            ...step,
            calls: step.calls.map((call) => ({ ...call, id: call.id % 2 })),
          })),
        })),
      };
      const run = runLive(render(repeated, format), optionsFor("eager", "none", false), "none");
      for (const [name, law] of Object.entries(LAWS)) if (!name.startsWith("3")) law(run);
    }),
    { numRuns: Math.min(60, RUNS), endOnFailure: true },
  );
});
