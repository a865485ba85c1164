import fc from "fast-check";
import { expect, test } from "vitest";
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
function optionsFor(mode: (typeof MODES)[number], rule: ReasoningRule, tags: boolean): PrunerOptions {
  return {
    agentTools: tags,
    config: { schedule: { mode, prices: { "*": { reasoning: rule } } }, window: 12_000 },
    prefixTokens: 2_000,
  };
}

/** 3 formats × 4 rules × 90 sessions: every law is asked of more than 1,000. */
const RUNS = Number(process.env.LAW_RUNS ?? 90);

/** Asks every law of generated sessions in one format. A file a format, so that they run side by side. */
export function describeLaws(format: FormatName): void {
  test.each(RULES)("every law holds; reasoning: %s", (rule, reasoning) => {
    let cut = 0;
    fc.assert(
      fc.property(scripts({ reasoning }), fc.constantFrom(...MODES), fc.boolean(), (script, mode, tags) => {
        const run = runLive(render(script, format), optionsFor(mode, rule, tags), rule);
        askLaws(run);
        cut += run.requests.at(-1)?.result.report.edits.length ?? 0;
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(cut, "no generated session was cut: the laws were not put to the test").toBeGreaterThan(0);
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
        const run = runLive(render(repeated, format), optionsFor("eager", "none", false), "none");
        askLaws(run, (name) => !name.startsWith("3 "));
      }),
      { numRuns: Math.min(60, RUNS), endOnFailure: true },
    );
  });
}
