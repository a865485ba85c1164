import fc from "fast-check";
import { expect, test } from "vitest";
import { PRESET_NAMES, type PresetName } from "../../src/config/config.ts";
import type { FormatName } from "../../src/formats/format.ts";
import type { ReasoningRule } from "../../src/models/profile.ts";
import type { PrunerOptions } from "../../src/pruner.ts";
import { render, scripts } from "../generate.ts";
import { askLaws, runLive } from "../laws.ts";

const RULES: readonly (readonly [ReasoningRule, "none" | "plain" | "signed"])[] = [
  ["none", "none"],
  ["field", "plain"],
  ["signed", "signed"],
  ["bound", "signed"],
];
const MODES = ["rent-or-buy", "eager", "pressure"] as const;

/** A small window makes pressure a matter of course. */
function optionsFor(
  mode: (typeof MODES)[number],
  rule: ReasoningRule,
  tags: boolean,
  preset: PresetName,
): PrunerOptions {
  return {
    agentTools: tags,
    config: {
      schedule: { mode, prices: { "*": { reasoning: rule } } },
      strategies: { aggressivePruning: { preset } },
      window: 12_000,
    },
    prefixTokens: 2_000,
  };
}

/** 3 formats × 4 rules × 90 sessions, and a third of that for the others: every law is asked of more than 1,400. */
export const RUNS: number = Number(process.env.LAW_RUNS ?? 90);

/** Asks every law of generated sessions in one format. A file a format, so that they run side by side. */
export function describeLaws(format: FormatName, runs: number = RUNS): void {
  test.each(RULES)("every law holds; reasoning: %s", (rule, reasoning) => {
    const authors = new Set<string>();
    fc.assert(
      fc.property(
        scripts({ reasoning }),
        fc.constantFrom(...MODES),
        fc.boolean(),
        fc.constantFrom(...PRESET_NAMES),
        (script, mode, tags, preset) => {
          const run = runLive(render(script, format), optionsFor(mode, rule, tags, preset), rule);
          askLaws(run);
          for (const { edit } of run.requests.at(-1)?.result.report.edits ?? []) authors.add(edit.author);
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
    expect(authors.size, `only ${[...authors]} were put to the test`).toBeGreaterThan(2);
  });

  test("repeated call ids are reported, and the laws hold all the same", () => {
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
        const run = runLive(render(repeated, format), optionsFor("eager", "none", false, "compact"), "none");
        askLaws(run, (name) => !name.startsWith("3 "));
      }),
      { numRuns: Math.min(60, runs), endOnFailure: true },
    );
  });
}
