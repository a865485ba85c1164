import { agentCommands } from "../agent/agent-commands.ts";
import type { AggressiveFlags, Config } from "../config/config.ts";
import { resolveFlags } from "../config/presets.ts";
import { matchFiles } from "../protection/protection.ts";
import type { IsProtectedFile } from "../redaction/check-names.ts";
import { capResults } from "../strategies/cap-results.ts";
import { contextCalls } from "../strategies/context-calls.ts";
import { duplicateCalls } from "../strategies/duplicate-calls.ts";
import { failedInputs } from "../strategies/failed-inputs.ts";
import { fileOperations, fileViews } from "../strategies/file-views.ts";
import { hostReminders } from "../strategies/host-reminders.ts";
import { hostStates } from "../strategies/host-states.ts";
import { thinLineNumbers, trimLineNumbers } from "../strategies/line-numbers.ts";
import { oldErrors } from "../strategies/old-errors.ts";
import { oldFiles } from "../strategies/old-files.ts";
import { changedReads, repeatedReads } from "../strategies/repeated-reads.ts";
import { restedEdits } from "../strategies/rested-edits.ts";
import { retries } from "../strategies/retries.ts";
import { snapshots } from "../strategies/snapshots.ts";
import { sources } from "../strategies/sources.ts";
import { spentInputs } from "../strategies/spent-inputs.ts";
import { spentResults } from "../strategies/spent-results.ts";
import { stateQueries } from "../strategies/state-queries.ts";
import { type Pass, usePass } from "../strategies/strategy.ts";
import { compileSummaryRules, type SummaryRules } from "../strategies/summaries/user-rules.ts";
import { summarizeResults } from "../strategies/summarize-results.ts";
import { todos } from "../strategies/todos.ts";
import { unchangedReads } from "../strategies/unchanged-reads.ts";
import { userCodeBlocks } from "../strategies/user-code-blocks.ts";

/** The part of a configuration that decides which passes are used, and with which options. */
interface Switches extends AggressiveFlags {
  readonly agentTools: boolean;
  readonly bound: boolean;
  readonly strategies: Config["strategies"];
  readonly ingestCap: number | null;
  /** Does old text shrink without anyone asking? */
  readonly shrinks: boolean;
  /** `shrinks`, and `intelligentPruning` is on. */
  readonly summarizes: boolean;
  /** `shrinks`, and `spent` is enabled. */
  readonly spends: boolean;
  readonly wholeErrors: boolean;
  readonly rules: SummaryRules;
  readonly isProtectedFile: IsProtectedFile;
}

/** When inputs shrink where reasoning is bound: at once, if they are large and the call has succeeded. */
const AT_FIRST_SEND = { age: 0, failed: false, least: 400 };

/** All passes, in the order in which they are asked. A new pass is added here. `undefined`: it is turned off. */
const PASSES: readonly ((switches: Switches) => Pass | undefined)[] = [
  (on) => (on.agentTools ? usePass(agentCommands) : undefined),
  () => usePass(unchangedReads),
  () => usePass(hostReminders),
  () => usePass(hostStates),
  (on) => (on.pruneRereads ? usePass(repeatedReads) : undefined),
  (on) => (on.pruneRereads ? usePass(changedReads) : undefined),
  (on) => usePass(duplicateCalls, on),
  (on) => usePass(todos, on),
  (on) => usePass(contextCalls, on),
  (on) => (on.pruneSourceUrls ? usePass(sources, on) : undefined),
  (on) => (on.stateQuerySupersede ? usePass(stateQueries, on) : undefined),
  (on) => (on.pruneRetryParts ? usePass(retries, on) : undefined),
  (on) => (on.pruneSnapshots ? usePass(snapshots, on) : undefined),
  (on) => (on.aggressiveFilePrune === true ? usePass(fileOperations, on) : undefined),
  (on) => (on.aggressiveFilePrune === "views" ? usePass(fileViews, on) : undefined),
  (on) => (on.pruneFiles ? usePass(oldFiles) : undefined),
  (on) => (on.pruneUserCodeBlocks ? usePass(userCodeBlocks) : undefined),
  (on) => (on.truncateOldErrors ? usePass(oldErrors, on.strategies.purgeErrors) : undefined),
  (on) => (on.strategies.purgeErrors.enabled ? usePass(failedInputs, on.strategies.purgeErrors) : undefined),
  (on) =>
    on.pruneLineNumbers
      ? usePass(on.pruneLineNumbers === true ? thinLineNumbers : trimLineNumbers)
      : undefined,
  // This and the next leave summaries (chosen lines and names), so both need `summarizes`.
  ({ summarizes, ingestCap, isProtectedFile }) =>
    summarizes && ingestCap !== null ? usePass(capResults, { ingestCap, isProtectedFile }) : undefined,
  ({ summarizes, spends, strategies, wholeErrors, rules, isProtectedFile }) =>
    summarizes && spends
      ? usePass(spentResults, { ...strategies.spent, wholeErrors, rules, isProtectedFile })
      : undefined,
  // Under the strict rule (`fileOperations`) older edits have been replaced already.
  ({ spends, aggressiveFilePrune, pruneToolInputs, strategies: { spent } }) =>
    spends && aggressiveFilePrune === "views"
      ? usePass(restedEdits, { rested: spent.rested, pruneToolInputs })
      : undefined,
  ({ spends, bound, pruneToolInputs, strategies: { spent, purgeErrors } }) =>
    spends && pruneToolInputs
      ? usePass(spentInputs, bound ? AT_FIRST_SEND : { age: spent.inputs, failed: purgeErrors.enabled })
      : undefined,
  ({ shrinks, strategies: { intelligentPruning, pruneMinimum, spent }, wholeErrors, rules }) =>
    shrinks
      ? usePass(summarizeResults, {
          intelligentPruning,
          pruneMinimum,
          wholeErrors,
          rules,
          views: spent.views,
        })
      : undefined,
];

/** Whom the passes are for. */
interface PassesFor {
  readonly agentTools: boolean;
  /** The model binds reasoning to the text before it. */
  readonly bound: boolean;
}

/**
 * Where reasoning is bound, hardly anything can be cut once it was sent. So there more shrinks before its first send:
 * smaller results, reads of what the context shows already, and inputs of calls that have succeeded.
 */
export function choosePasses(config: Config, { agentTools, bound }: PassesFor): readonly Pass[] {
  const { strategies, schedule, summaries } = config;
  const shrinks = !isVerbose(config);
  const usual = resolveFlags(strategies.aggressivePruning);
  const { pruneRereads = shrinks } = strategies.aggressivePruning;
  const flags = bound ? { ...usual, pruneRereads } : usual;
  const switches: Switches = {
    ...flags,
    agentTools,
    strategies,
    bound,
    ingestCap: bound ? lowerCap(schedule.ingestCap) : schedule.ingestCap,
    shrinks,
    summarizes: shrinks && strategies.intelligentPruning,
    spends: shrinks && strategies.spent.enabled,
    wholeErrors: !flags.truncateOldErrors,
    rules: compileSummaryRules(summaries),
    isProtectedFile: matchFiles({ files: config.protectedFilePatterns }),
  };
  return PASSES.flatMap((choose) => choose(switches) ?? []);
}

/** Share of `ingestCap` that counts where reasoning is bound. */
const BOUND_CAP_SHARE = 1 / 2;

function lowerCap(cap: number | null): number | null {
  return cap === null ? null : Math.ceil(BOUND_CAP_SHARE * cap);
}

/** Under this preset old text does not shrink, not even under pressure. */
export function isVerbose({ strategies }: Config): boolean {
  return strategies.aggressivePruning.preset === "verbose";
}
