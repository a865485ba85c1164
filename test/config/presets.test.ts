import { expect, test } from "vitest";
import type { AggressivePruning } from "../../src/config/config.ts";
import type { AggressiveFlags } from "../../src/config/pass-options.ts";
import { PRESETS, resolveFlags } from "../../src/config/presets.ts";
import type { PresetName } from "../../src/strategies/pass-setting.ts";

const everyday: (keyof AggressiveFlags)[] = [
  "pruneToolInputs",
  "pruneStepMarkers",
  "pruneSourceUrls",
  "pruneFiles",
  "pruneSnapshots",
  "pruneRetryParts",
  "stateQuerySupersede",
];
const drastic: (keyof AggressiveFlags)[] = ["pruneRereads", "pruneUserCodeBlocks", "truncateOldErrors"];

type LineNumbers = AggressiveFlags["pruneLineNumbers"];

test.each<[PresetName, boolean, boolean | "views", boolean, LineNumbers]>([
  ["compact", true, true, true, "padding"],
  ["balanced", true, "views", false, "padding"],
  ["verbose", false, false, false, false],
])("%s", (preset, everydayFlags, aggressiveFilePrune, drasticFlags, pruneLineNumbers) => {
  expect(PRESETS[preset]).toEqual({
    ...Object.fromEntries(everyday.map((flag) => [flag, everydayFlags])),
    ...Object.fromEntries(drastic.map((flag) => [flag, drasticFlags])),
    aggressiveFilePrune,
    pruneLineNumbers,
  });
});

test.each<[AggressivePruning, Partial<AggressiveFlags>]>([
  [{ preset: "verbose" }, {}],
  [{ preset: "verbose", pruneFiles: true }, { pruneFiles: true }],
  [{ preset: "compact", aggressiveFilePrune: "views" }, { aggressiveFilePrune: "views" }],
  [{ preset: "balanced", aggressiveFilePrune: false }, { aggressiveFilePrune: false }],
])("%j: flags override the preset", (pruning, flags) => {
  expect(resolveFlags(pruning)).toEqual({ ...PRESETS[pruning.preset], ...flags });
});
