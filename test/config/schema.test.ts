import { expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { DEFAULT_CONFIG, PROTECTED_LISTS } from "../../src/config/defaults.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { valueAt } from "../../src/config/problem.ts";
import { describeSchema, listSettings, schemaAt } from "../../src/config/settings.ts";
import { PROTECTED_FILES, PROTECTED_TOOLS } from "../../src/protection/defaults.ts";

test("the defaults are the documented ones", () => {
  expect(DEFAULT_CONFIG).toEqual({
    enabled: true,
    debug: false,
    pruneNotification: "minimal",
    commands: { enabled: true, protectedTools: [] },
    protectedFilePatterns: PROTECTED_FILES,
    unprotect: [],
    tools: {
      settings: {
        protectedTools: PROTECTED_TOOLS,
        protectedCommands: [],
        enableAssistantMessagePruning: true,
        enableReasoningPruning: true,
        enableVisibleAssistantHashes: true,
      },
      discard: { enabled: true },
      distill: { enabled: true, showDistillation: false },
      replace: { enabled: true },
      recall: { enabled: true },
      todoReminder: { enabled: true, initialTurns: 5, repeatTurns: 4, stuckTaskTurns: 12 },
      automataMode: { enabled: true, initialTurns: 8 },
    },
    strategies: {
      purgeErrors: { enabled: false, turns: 4 },
      aggressivePruning: { preset: "balanced" },
      intelligentPruning: true,
      spent: {
        enabled: true,
        results: 1,
        views: null,
        rested: 3,
        inputs: 2,
      },
      pruneProtect: 40000,
      pruneMinimum: 20000,
      compactThreshold: 0.75,
      shake: { protectTokens: 16000, minSavings: 4000, fenceMinTokens: 400, protectedTools: ["skill"] },
      trim: { strategy: "priority-based", preserveRecentTurns: 5, maxAge: 5, reservedOutputTokens: 4096 },
    },
    summaries: [],
    toolKinds: [],
    textProtocols: [],
    window: null,
    shadow: false,
    statistics: { store: true },
    keepBytes: 64_000_000,
    prefix: { dropTools: [] },
    schedule: {
      mode: "rent-or-buy",
      model: null,
      prices: {},
      ingestCap: 2500,
      requestedLimit: 20000,
      dropReasoning: false,
      ownMark: true,
    },
  } satisfies Config);
  expect(PROTECTED_TOOLS).toHaveLength(11);
  expect(PROTECTED_FILES).toHaveLength(10);
});

test("the defaults are a valid configuration", () => {
  expect(parseConfig(DEFAULT_CONFIG)).toEqual({ config: DEFAULT_CONFIG, issues: [] });
});

const settings = listSettings().map((setting) => ({ key: setting.path.join("."), ...setting }));

test("the schema has the keys that it should", () => {
  expect(settings.length).toBeGreaterThan(70);
  expect(new Set(settings.map(({ key }) => key)).size).toBe(settings.length);
});

test.each(settings)(
  "$key has a description and, unless a preset or the model sets it, a default",
  (setting) => {
    expect(setting.description).toMatch(/\S.*\.$/s);
    const isOpen = /^(strategies\.aggressivePruning\.(?!preset)|schedule\.prices\.)/.test(setting.key);
    expect(valueAt(DEFAULT_CONFIG, setting.path) === undefined).toBe(isOpen);
  },
);

test.each(PROTECTED_LISTS)("%s is a list of names", (key) => {
  expect(describeSchema(schemaAt(key.split(".")) ?? never())).toBe("a list of strings");
});

test.each([
  ["enabled", "true or false"],
  ["pruneNotification", '"off", "minimal" or "detailed"'],
  ["window", "a whole number ≥ 1 or null"],
  ["strategies.compactThreshold", "a number from 0 to 1"],
  ["strategies.aggressivePruning.aggressiveFilePrune", 'true, false or "views"'],
  ["strategies.aggressivePruning.pruneLineNumbers", 'true, false or "padding"'],
  ["summaries", "a list of { tool, keep }"],
  ["schedule.prices.gpt-5.read", "a number ≥ 0", ["schedule", "prices", "gpt-5", "read"]],
])("%s requires %s", (key, words, path: readonly string[] = key.split(".")) => {
  expect(describeSchema(schemaAt(path) ?? never())).toBe(words);
});

test.each([["nothing"], ["tools.nothing"], ["enabled.nothing"]])("%s is not a key", (key) => {
  expect(schemaAt(key.split("."))).toBeUndefined();
});

function never(): never {
  throw new Error("no such key");
}
