import { expect, test } from "vitest";
import type { AggressiveFlags, AggressivePruning, PresetName } from "../../src/config/config.ts";
import { PRESETS, resolveFlags } from "../../src/config/presets.ts";

const everyday: (keyof AggressiveFlags)[] = [
  "pruneToolInputs",
  "pruneStepMarkers",
  "pruneSourceUrls",
  "pruneFiles",
  "pruneSnapshots",
  "pruneRetryParts",
  "pruneLineNumbers",
  "stateQuerySupersede",
];
const drastic: (keyof AggressiveFlags)[] = ["pruneRereads", "pruneUserCodeBlocks", "truncateOldErrors"];

test.each<[PresetName, boolean, boolean | "views", boolean]>([
  ["compact", true, true, true],
  ["balanced", true, "views", false],
  ["verbose", false, false, false],
])("%s", (preset, everydayFlags, aggressiveFilePrune, drasticFlags) => {
  expect(PRESETS[preset]).toEqual({
    ...Object.fromEntries(everyday.map((flag) => [flag, everydayFlags])),
    ...Object.fromEntries(drastic.map((flag) => [flag, drasticFlags])),
    aggressiveFilePrune,
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
