import fc from "fast-check";
import { expect, test } from "vitest";
import type { FormatName } from "../../src/formats/format.ts";
import type { ReasoningRule } from "../../src/models/profile.ts";
import type { PrunerOptions } from "../../src/pruner.ts";
import { PRESET_NAMES, type PresetName } from "../../src/strategies/pass-setting.ts";
import { type HostKind, render, scripts } from "../generate.ts";
import { askLaws, runLive } from "../laws.ts";
import { isCertain, ownSeed } from "../own-seed.ts";

const RULES: readonly (readonly [ReasoningRule, "none" | "plain" | "signed"])[] = [
  ["none", "none"],
  ["field", "plain"],
  ["signed", "signed"],
  ["bound", "signed"],
];
const MODES = ["rent-or-buy", "eager", "pressure"] as const;

/** When text is old: so soon that generated sessions have old text, or not before their end. */
const AGING = [
  { pruneProtect: 40_000, purgeErrors: { enabled: false, turns: 4 } },
  { pruneProtect: 500, purgeErrors: { enabled: true, turns: 0 } },
  { pruneProtect: 3_000, purgeErrors: { enabled: true, turns: 2 } },
] as const;
type Aging = (typeof AGING)[number];

/** A host's data other than its messages; `undefined`: everything known. */
const HOSTS: readonly (HostKind | undefined)[] = [undefined, "bare", "journaling", "clearing"];

/** A small window makes pressure a matter of course. */
function optionsFor(
  mode: (typeof MODES)[number],
  rule: ReasoningRule,
  tags: boolean,
  preset: PresetName,
  aging: Aging,
): PrunerOptions {
  return {
    agentTools: tags,
    config: {
      schedule: { mode, prices: { "*": { reasoning: rule } }, dropReasoning: preset === "compact" },
      strategies: { aggressivePruning: { preset }, ...aging },
      tools: { settings: { protectedCommands: preset === "balanced" ? ["npm test"] : [] } },
      window: 12_000,
    },
    prefixTokens: 2_000,
  };
}

/**
 * Laws that do not apply unchanged if the provider clears results itself: cleared results are in no figure (4), and
 * a pruned request may be too small for clearing (6, 11).
 */
function isOfSizes(name: string): boolean {
  return /^(?:4|6|11) /.test(name);
}

/** 9 formats × 4 rules × 9 sessions, all different: every law runs on more than 300; `LAW_RUNS` sets more. */
const RUNS = Number(process.env.LAW_RUNS ?? 9);

/** This many, with repeated ids, are needed for every pass to cut something. */
const REPEATING_RUNS = Math.max(14, RUNS);

/**
 * For any seed. One session in three has cuts of at most one author; the rarest author required with repeated ids
 * cuts in one session of forty.
 */
const ENOUGH = 30;
const ENOUGH_REPEATING = 600;

/** Checks every law on generated sessions in one format. One file per format, so that they run in parallel. */
export function describeLaws(format: FormatName): void {
  test.each(RULES)("every law holds; reasoning: %s", (rule, reasoning) => {
    const authors = new Set<string>();
    fc.assert(
      fc.property(
        scripts({ reasoning }),
        fc.constantFrom(...MODES),
        fc.boolean(),
        fc.constantFrom(...PRESET_NAMES),
        fc.constantFrom(...AGING),
        fc.constantFrom(...HOSTS),
        (script, mode, tags, preset, aging, host) => {
          const session = { ...render(script, format), ...(host && { host }) };
          const run = runLive(session, optionsFor(mode, rule, tags, preset, aging), rule);
          const edits = run.requests.at(-1)?.result.report.edits ?? [];
          // Text that dropped reasoning was bound to may be cut with the next request: pruned again, it is cut at
          // once.
          const isFreed = rule === "bound" && edits.some(({ edit }) => edit.type === "drop");
          const isAsked = (name: string) => host !== "clearing" || !isOfSizes(name);
          askLaws(run, (name) => isAsked(name) && !(isFreed && name.startsWith("6 ")));
          for (const { edit } of run.requests.at(-1)?.result.report.edits ?? []) authors.add(edit.author);
        },
      ),
      { numRuns: RUNS, endOnFailure: true, ...ownSeed(`laws ${format} ${rule}`) },
    );
    if (isCertain(RUNS, ENOUGH))
      expect(authors.size, `only ${[...authors]} were put to the test`).toBeGreaterThan(1);
  });

  test("repeated call ids are reported, and the laws still hold", () => {
    const authors = new Set<string>();
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
        const options = optionsFor("eager", "none", false, "compact", AGING[1]);
        const run = runLive(render(repeated, format), options, "none");
        const edits = run.requests.at(-1)?.result.report.edits ?? [];
        // When a group is dropped, its ids no longer repeat as often: other parts get its keys, and therefore its
        // refs.
        const isDropped = edits.some(({ edit }) => edit.type === "drop");
        askLaws(run, (name) => !name.startsWith("3 ") && !(isDropped && name.startsWith("6 ")));
        for (const { edit } of run.requests.at(-1)?.result.report.edits ?? []) authors.add(edit.author);
      }),
      { numRuns: REPEATING_RUNS, endOnFailure: true },
    );
    const everywhere = ["duplicate-calls", "snapshots", "old-files", "user-code-blocks"];
    // OpenAI's results do not say whether they failed.
    const expected = format.startsWith("openai-")
      ? everywhere
      : [...everywhere, "old-errors", "failed-inputs"];
    if (isCertain(REPEATING_RUNS, ENOUGH_REPEATING))
      expect([...authors], "what was put to the test").toEqual(expect.arrayContaining(expected));
  });
}
