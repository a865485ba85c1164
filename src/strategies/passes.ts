import type { BuiltIn } from "./built-in.ts";
import { capResults } from "./cap-results.ts";
import { contextCalls } from "./context-calls.ts";
import { duplicateCalls } from "./duplicate-calls.ts";
import { failedInputs } from "./failed-inputs.ts";
import { fileOperations, fileViews } from "./file-views.ts";
import { hostReminders } from "./host-reminders.ts";
import { hostStates } from "./host-states.ts";
import { thinLineNumbers, trimLineNumbers } from "./line-numbers.ts";
import { oldErrors } from "./old-errors.ts";
import { oldFiles } from "./old-files.ts";
import { type Flag, type NumberSetting, onIn } from "./pass-setting.ts";
import { changedReads, repeatedReads } from "./repeated-reads.ts";
import { restedEdits } from "./rested-edits.ts";
import { retries } from "./retries.ts";
import { snapshots } from "./snapshots.ts";
import { sources } from "./sources.ts";
import { spentInputs } from "./spent-inputs.ts";
import { spentResults } from "./spent-results.ts";
import { stateQueries } from "./state-queries.ts";
import { summarizeResults } from "./summarize-results.ts";
import { todos } from "./todos.ts";
import { unchangedReads } from "./unchanged-reads.ts";
import { userCodeBlocks } from "./user-code-blocks.ts";

/** All passes, in the order in which they run. Add a new pass here, and nowhere else. */
export const PASSES: readonly BuiltIn<unknown>[] = [
  unchangedReads,
  hostReminders,
  hostStates,
  repeatedReads,
  changedReads,
  duplicateCalls,
  todos,
  contextCalls,
  sources,
  stateQueries,
  retries,
  snapshots,
  fileOperations,
  fileViews,
  oldFiles,
  userCodeBlocks,
  oldErrors,
  failedInputs,
  trimLineNumbers,
  thinLineNumbers,
  capResults,
  spentResults,
  restedEdits,
  spentInputs,
  summarizeResults,
];

/** Flags that no pass owns. */
const SHARED_FLAGS: readonly Flag[] = [
  {
    key: "pruneToolInputs",
    description:
      "Large inputs of superseded calls shrink to the fields that say what the call was about. If off, no pass shrinks inputs, except those of failed calls if `purgeErrors` is on.",
    presets: onIn("compact", "balanced"),
  },
  {
    key: "pruneStepMarkers",
    description:
      "Has no effect yet: OpenCode does not send its step markers, and the other formats have none.",
    presets: onIn("compact", "balanced"),
  },
];

/** Every switch under `strategies.aggressivePruning`, once. */
export const FLAGS: readonly Flag[] = [...SHARED_FLAGS, ...new Set(PASSES.flatMap(({ flag }) => flag ?? []))];

/** Every number that a pass owns. */
export const NUMBER_SETTINGS: readonly NumberSetting[] = PASSES.flatMap(({ settings }) => settings ?? []);
