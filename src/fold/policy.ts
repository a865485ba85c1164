import { agentCommands } from "../agent/agent-commands.ts";
import { type AgentSettings, readAgentSettings } from "../agent/agent-settings.ts";
import type { Issue } from "../basics/issue.ts";
import { COUNT, type Fields, FLAG, invalidRequest, readFields, TEXT } from "../basics/read-fields.ts";
import type { AggressiveFlags, Config, PartialConfig } from "../config/config.ts";
import { mergeLevels } from "../config/merge.ts";
import { parseConfig } from "../config/parse.ts";
import { resolveFlags } from "../config/presets.ts";
import type { ModelProfile } from "../models/profile.ts";
import { profilePricedAs } from "../models/profile-for.ts";
import type { ProtectionRules } from "../protection/protection.ts";
import { createReminder, type Reminder } from "../reminders/reminder.ts";
import type { SchedulePolicy } from "../schedule/scheduler.ts";
import { capResults } from "../strategies/cap-results.ts";
import { contextCalls } from "../strategies/context-calls.ts";
import { duplicateCalls } from "../strategies/duplicate-calls.ts";
import { failedInputs } from "../strategies/failed-inputs.ts";
import { fileOperations, fileViews } from "../strategies/file-views.ts";
import { oldErrors } from "../strategies/old-errors.ts";
import { oldFiles } from "../strategies/old-files.ts";
import { restedEdits } from "../strategies/rested-edits.ts";
import { retries } from "../strategies/retries.ts";
import type { Rung } from "../strategies/rung.ts";
import { aggressiveShakeRung, shakeRung } from "../strategies/shake/shake-rung.ts";
import { snapshots } from "../strategies/snapshots.ts";
import { sources } from "../strategies/sources.ts";
import { spentInputs } from "../strategies/spent-inputs.ts";
import { spentResults } from "../strategies/spent-results.ts";
import { stateQueries } from "../strategies/state-queries.ts";
import { type Pass, usePass } from "../strategies/strategy.ts";
import { compileSummaryRules } from "../strategies/summaries/user-rules.ts";
import { summarizeResults } from "../strategies/summarize-results.ts";
import { todos } from "../strategies/todos.ts";
import { dropRung, placeholderRung } from "../strategies/trim/rungs.ts";
import { unseenRung } from "../strategies/trim/unseen-rung.ts";
import { unchangedReads } from "../strategies/unchanged-reads.ts";
import { userCodeBlocks } from "../strategies/user-code-blocks.ts";
import { createToolKinds, type ToolKinds } from "../tool-kinds/tool-kinds.ts";

/** What a configuration comes down to: everything that the fold may depend on beside the transcript. */
export interface Policy extends SchedulePolicy {
  readonly passes: readonly Pass[];
  /** Off: every session is off, whatever a person says in it. */
  readonly enabled: boolean;
  /** Change nothing, report what would be cut. */
  readonly shadow: boolean;
  readonly protection: ProtectionRules;
  readonly toolKinds: ToolKinds;
  readonly profileFor: (model: string | undefined) => ModelProfile;
  /** Overrides the profile's window. */
  readonly window: number | undefined;
  /** Do results carry a tag by which the agent can name them? */
  readonly tags: boolean;
  /** What the agent may do with its context. */
  readonly agent: AgentSettings;
  /** System prompt and tool definitions, in tokens: what stands before the first message of every request. */
  readonly prefixTokens: number;
  /** The same as far as it takes up the window: where a host does not say, it is no more than a share of that. */
  readonly prefixIn: (window: number) => number;
  /** What Coppice itself adds to that: its tool definitions and system text. */
  readonly overheadTokens: number;
  /** The folder that relative paths of calls are relative to. */
  readonly directory: string | undefined;
  /** What a person's `shake` cuts. */
  readonly shake: (aggressive: boolean) => Rung;
  /** Gives the note at the end of a request; `undefined` where nobody is to be reminded. */
  readonly remind: Reminder | undefined;
  /** What is younger stays, in tokens of results. */
  readonly pruneProtect: number;
  /** What of the options is wrong, and what is used instead. */
  readonly issues: readonly Issue[];
}

export interface PolicyOptions {
  readonly config?: PartialConfig;
  /** Instead of the passes that the configuration asks for. */
  readonly passes?: readonly Pass[];
  /** Instead of the usual ladder under pressure. */
  readonly ladder?: readonly Rung[];
  /** The agent has Coppice's tools: results carry tags, and its calls are carried out. */
  readonly agentTools?: boolean;
  readonly prefixTokens?: number;
  readonly overheadTokens?: number;
  readonly directory?: string;
  /** Calls whose results stay, beside those that the configuration names. */
  readonly protect?: ProtectionRules["protect"];
}

/** System prompt and tool schemas where a host does not say. */
const PREFIX_TOKENS = 8_000;

/** And the most of a window that they are assumed to take: nobody fills a small one with them. */
const PREFIX_SHARE = 0.1;

type PlainOptions = Pick<PolicyOptions, "agentTools" | "prefixTokens" | "overheadTokens" | "directory">;

const PLAIN_OPTIONS: Fields<PlainOptions> = {
  agentTools: FLAG,
  prefixTokens: COUNT,
  overheadTokens: COUNT,
  directory: TEXT,
};

/** A bad option or a bad value in `config` is left out and told among the issues; the rest counts. */
export function makePolicy(given: PolicyOptions): Policy {
  const problems: string[] = [];
  const plain = readFields(given, PLAIN_OPTIONS, (problem) => problems.push(problem));
  const { passes, ladder, protect } = given;
  const options = { ...plain, passes, ladder, protect };
  const parsed = parseConfig(given.config ?? {}, "options");
  const { config } = mergeLevels([{ name: "options", config: parsed.config }]);
  const agent = readAgentSettings(config);
  const agentTools = (options.agentTools ?? false) && agent.actions.length > 0;
  return {
    passes: config.enabled ? (options.passes ?? choosePasses(config, agentTools)) : [],
    mode: config.schedule.mode,
    enabled: config.enabled,
    shadow: config.shadow,
    protection: {
      // Whoever comes with an `acp.jsonc` means both lists to hold against everything.
      tools: [...config.tools.settings.protectedTools, ...config.commands.protectedTools],
      files: config.protectedFilePatterns,
      ...(options.directory !== undefined && { directory: options.directory }),
      ...(options.protect && { protect: options.protect }),
    },
    toolKinds: createToolKinds(config.toolKinds),
    profileFor: (model) => profilePricedAs(model, config.schedule.model, config.schedule.prices),
    window: config.window ?? undefined,
    compactThreshold: config.strategies.compactThreshold,
    reservedOutput: config.strategies.trim.reservedOutputTokens,
    ladder: config.enabled ? (options.ladder ?? chooseLadder(config)) : [],
    lastResort: config.enabled && !options.ladder && !isVerbose(config) ? [unseenRung] : [],
    tags: config.enabled && agentTools,
    agent,
    prefixTokens: options.prefixTokens ?? PREFIX_TOKENS,
    prefixIn: (window) => options.prefixTokens ?? Math.min(PREFIX_TOKENS, PREFIX_SHARE * window),
    overheadTokens: options.overheadTokens ?? 0,
    askedLimit: config.schedule.askedLimit,
    directory: options.directory,
    shake: (aggressive) => chooseShake(config, aggressive),
    remind: config.enabled && options.agentTools && !config.shadow ? createReminder(config.tools) : undefined,
    pruneProtect: config.strategies.pruneProtect,
    issues: [...parsed.issues, ...problems.map(invalidRequest)],
  };
}

function choosePasses(config: Config, agentTools: boolean): readonly Pass[] {
  const flags = resolveFlags(config.strategies.aggressivePruning);
  const fileRule = { true: fileOperations, views: fileViews, false: undefined }[
    `${flags.aggressiveFilePrune}`
  ];
  const { pruneToolInputs } = flags;
  const { enabled: purgesErrors, turns } = config.strategies.purgeErrors;
  const superseding = [
    duplicateCalls,
    todos,
    contextCalls,
    flags.pruneSourceUrls && sources,
    flags.stateQuerySupersede && stateQueries,
    flags.pruneRetryParts && retries,
    flags.pruneSnapshots && snapshots,
    fileRule,
  ];
  return [
    ...(agentTools ? [usePass(agentCommands)] : []),
    usePass(unchangedReads),
    ...superseding.flatMap((strategy) => (strategy ? usePass(strategy, { pruneToolInputs }) : [])),
    ...(flags.pruneFiles ? [usePass(oldFiles)] : []),
    ...(flags.pruneUserCodeBlocks ? [usePass(userCodeBlocks)] : []),
    ...(flags.truncateOldErrors ? [usePass(oldErrors, { turns })] : []),
    ...(purgesErrors ? [usePass(failedInputs, { turns })] : []),
    ...chooseShrinking(config, flags),
  ];
}

function chooseShrinking(config: Config, flags: AggressiveFlags): readonly Pass[] {
  if (isVerbose(config)) return [];
  const { intelligentPruning, pruneMinimum, spent } = config.strategies;
  const { ingestCap } = config.schedule;
  const wholeErrors = !flags.truncateOldErrors;
  const rules = compileSummaryRules(config.summaries);
  return [
    // Both leave chosen lines and names: summaries.
    ...(ingestCap !== null && intelligentPruning ? [usePass(capResults, { ingestCap })] : []),
    ...(spent.enabled && intelligentPruning ? [usePass(spentResults, { ...spent, wholeErrors, rules })] : []),
    ...(spent.enabled ? chooseSpentCalls(config, flags) : []),
    usePass(summarizeResults, { intelligentPruning, pruneMinimum, wholeErrors, rules }),
  ];
}

function chooseSpentCalls(
  { strategies: { spent, purgeErrors } }: Config,
  { aggressiveFilePrune, pruneToolInputs }: AggressiveFlags,
): readonly Pass[] {
  const { rested, inputs } = spent;
  return [
    // Under the strict rule they have gone already.
    ...(aggressiveFilePrune === "views" ? [usePass(restedEdits, { rested, pruneToolInputs })] : []),
    ...(pruneToolInputs ? [usePass(spentInputs, { age: inputs, failed: purgeErrors.enabled })] : []),
  ];
}

/** What old text goes down under pressure, in this order. */
function chooseLadder(config: Config): readonly Rung[] {
  const { shake, trim } = config.strategies;
  if (isVerbose(config)) return [];
  return [shakeRung(shake), aggressiveShakeRung(shake), placeholderRung(trim), dropRung(trim)];
}

/** What a person's command takes. */
function chooseShake({ enabled, strategies: { shake } }: Config, aggressive: boolean): Rung {
  if (!enabled) return { name: "shake", propose: () => [] };
  return aggressive ? aggressiveShakeRung(shake) : shakeRung(shake);
}

/** Nothing goes by itself but what a newer call repeats. */
function isVerbose({ strategies }: Config): boolean {
  return strategies.aggressivePruning.preset === "verbose";
}
