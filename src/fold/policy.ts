import { type AgentSettings, readAgentSettings } from "../agent/agent-settings.ts";
import { createReminder, type Reminder } from "../agent/reminder.ts";
import type { Issue } from "../basics/issue.ts";
import {
  COUNT,
  type Field,
  type FieldChecks,
  FLAG,
  invalidRequest,
  readFields,
  TEXT,
} from "../basics/read-fields.ts";
import type { Config, PartialConfig } from "../config/config.ts";
import { mergeLevels } from "../config/merge.ts";
import { parseConfig } from "../config/parse.ts";
import type { TextProtocol } from "../formats/text-protocols/text-protocol.ts";
import { textProtocolsWith } from "../formats/text-protocols/text-protocols.ts";
import type { ModelProfile } from "../models/profile.ts";
import { profilePricedAs } from "../models/profile-for.ts";
import { matchFiles, type ProtectionRules } from "../protection/protection.ts";
import type { SchedulePolicy } from "../schedule/scheduler.ts";
import type { Rung } from "../strategies/rung.ts";
import { aggressiveShakeRung, shakeRung } from "../strategies/shake/shake-rung.ts";
import type { Pass } from "../strategies/strategy.ts";
import { dropRung, placeholderRung } from "../strategies/trim/rungs.ts";
import { createUnseenRung } from "../strategies/trim/unseen-rung.ts";
import { createToolKinds, type ToolKinds } from "../tool-kinds/tool-kinds.ts";
import { choosePasses, isVerbose } from "./passes.ts";

/**
 * A configuration in the form that the fold uses: everything that it depends on besides the transcript and its
 * requests.
 */
export interface Policy extends SchedulePolicy {
  readonly passes: readonly Pass[];
  /** The passes for models that bind reasoning to the text before it. */
  readonly boundPasses: readonly Pass[];
  /** If false, Coppice is off in every session, whatever a person's commands say. */
  readonly enabled: boolean;
  /** Change nothing, but report what would be cut. */
  readonly shadow: boolean;
  /** Bytes of text whose conversations are kept in memory. */
  readonly keepBytes: number;
  readonly protection: ProtectionRules;
  readonly toolKinds: ToolKinds;
  /** The notations of agents that write their calls as text. */
  readonly textProtocols: readonly TextProtocol[];
  readonly profileFor: (model: string | undefined) => ModelProfile;
  /** Overrides the profile's window. */
  readonly window: number | undefined;
  /** Do results have a tag by which the agent can name them? */
  readonly tags: boolean;
  /** Do markers name the ref of their cut? */
  readonly showsRefs: boolean;
  /** What the agent may do with its context. */
  readonly agent: AgentSettings;
  /** Tokens of system prompt and tool definitions, which come before the first message of every request. */
  readonly prefixTokens: number;
  /** The same, to measure how full the window is: if the host does not say, at most a share of the window. */
  readonly prefixIn: (window: number) => number;
  /** Tokens that Coppice adds to that: its tool definitions and system text. */
  readonly overheadTokens: number;
  /** May one more cache mark be set, if the host can? */
  readonly ownMark: boolean;
  /** The folder that relative paths in calls start from. */
  readonly directory: string | undefined;
  /** Returns the rung for a person's `shake`. */
  readonly shake: (aggressive: boolean) => Rung;
  /** Returns the note at the end of a request; `undefined` if there are no reminders. */
  readonly remind: Reminder | undefined;
  /** Size of the protect window, in tokens of results. */
  readonly pruneProtect: number;
  /** Problems with the options, and the values used instead. */
  readonly issues: readonly Issue[];
}

export interface PolicyOptions {
  readonly config?: PartialConfig;
  /** Used instead of the passes that the configuration turns on. */
  readonly passes?: readonly Pass[];
  /** Used instead of the usual ladder under pressure. */
  readonly ladder?: readonly Rung[];
  /** The agent has Coppice's tools: results have tags, and its calls are carried out. */
  readonly agentTools?: boolean;
  /**
   * Do markers name the ref of their cut? Default: yes. Not if nobody can recall the text and pruned messages never
   * come back to be pruned again: a marker is recognised by its ref.
   */
  readonly showsRefs?: boolean;
  readonly prefixTokens?: number;
  readonly overheadTokens?: number;
  readonly directory?: string;
  /** Calls whose results are protected, in addition to those that the configuration names. */
  readonly protect?: ProtectionRules["protect"];
}

/** Assumed tokens of system prompt and tool definitions, if the host does not say. */
const PREFIX_TOKENS = 8_000;

/** The largest share of a window that they are assumed to take: in a small window, nobody fills it with them. */
const PREFIX_SHARE = 0.1;

/** A list of objects with `name` and `propose` that also pass `isOne`. */
const listOf = (what: string, isOne: (each: object) => boolean): Field => ({
  expected: `a list of ${what}`,
  fits: (value) =>
    Array.isArray(value) &&
    value.every((each) => typeof each === "object" && each !== null && proposes(each) && isOne(each)),
});

function proposes(each: object): boolean {
  return typeof Reflect.get(each, "name") === "string" && typeof Reflect.get(each, "propose") === "function";
}

function isPass(each: object): boolean {
  const mayReplace: unknown = Reflect.get(each, "mayReplace");
  return (
    typeof Reflect.get(each, "restores") === "function" &&
    typeof mayReplace === "object" &&
    mayReplace !== null
  );
}

const OPTIONS: FieldChecks<PolicyOptions> = {
  // Checked key by key by `parseConfig`.
  config: { expected: "a configuration", fits: () => true },
  passes: listOf("passes, as `usePass` makes them", isPass),
  ladder: listOf("rungs: { name, propose }", () => true),
  agentTools: FLAG,
  showsRefs: FLAG,
  prefixTokens: COUNT,
  overheadTokens: COUNT,
  directory: TEXT,
  protect: { expected: "a function", fits: (value) => typeof value === "function" },
};

/** A bad option, or a bad value in `config`, is left out and reported in `issues`; the rest applies. Never throws. */
export function makePolicy(policyOptions: PolicyOptions): Policy {
  const problems: string[] = [];
  if (typeof policyOptions !== "object" || policyOptions === null)
    problems.push("the options: expected an object; ignored");
  const options = readFields(policyOptions, OPTIONS, (problem) => problems.push(problem));
  const parsed = parseConfig(options.config ?? {}, "options");
  const { config } = mergeLevels([{ name: "options", config: parsed.config }]);
  const agent = readAgentSettings(config);
  const agentTools = (options.agentTools ?? false) && agent.actions.length > 0;
  const choose = (bound: boolean) =>
    config.enabled ? (options.passes ?? choosePasses(config, { agentTools, bound })) : [];
  return {
    passes: choose(false),
    boundPasses: choose(true),
    mode: config.schedule.mode,
    enabled: config.enabled,
    shadow: config.shadow,
    keepBytes: config.keepBytes,
    protection: {
      ...protectionRules(config, options.directory),
      ...(options.protect && { protect: options.protect }),
    },
    toolKinds: createToolKinds(config.toolKinds),
    textProtocols: textProtocolsWith(config.textProtocols),
    profileFor: (model) => profilePricedAs(model, config.schedule.model, config.schedule.prices),
    window: config.window ?? undefined,
    compactThreshold: config.strategies.compactThreshold,
    reservedOutput: config.strategies.trim.reservedOutputTokens,
    ladder: config.enabled ? (options.ladder ?? chooseLadder(config)) : [],
    lastResort:
      config.enabled && !options.ladder && !isVerbose(config)
        ? [createUnseenRung(matchFiles({ files: config.protectedFilePatterns }))]
        : [],
    tags: config.enabled && agentTools,
    showsRefs: options.showsRefs ?? true,
    agent,
    prefixTokens: options.prefixTokens ?? PREFIX_TOKENS,
    prefixIn: (window) => options.prefixTokens ?? Math.min(PREFIX_TOKENS, PREFIX_SHARE * window),
    overheadTokens: options.overheadTokens ?? 0,
    requestedLimit: config.schedule.requestedLimit,
    dropReasoning: config.schedule.dropReasoning,
    ownMark: config.schedule.ownMark,
    directory: options.directory,
    shake: (aggressive) => chooseShake(config, aggressive),
    remind: config.enabled && options.agentTools && !config.shadow ? createReminder(config.tools) : undefined,
    pruneProtect: config.strategies.pruneProtect,
    issues: [...parsed.issues, ...problems.map(invalidRequest)],
  };
}

/** What a configuration protects. */
export function protectionRules(config: Config, directory: string | undefined): ProtectionRules {
  return {
    // People who bring an `acp.jsonc` expect both lists to protect against everything.
    tools: [...config.tools.settings.protectedTools, ...config.commands.protectedTools],
    commands: config.tools.settings.protectedCommands,
    files: config.protectedFilePatterns,
    ...(directory !== undefined && { directory }),
  };
}

/** The rungs for old text under pressure, in order. */
function chooseLadder(config: Config): readonly Rung[] {
  const { shake, trim } = config.strategies;
  if (isVerbose(config)) return [];
  return [shakeRung(shake), aggressiveShakeRung(shake), placeholderRung(trim), dropRung(trim)];
}

/** The rung for a person's `shake`. */
function chooseShake({ enabled, strategies: { shake } }: Config, aggressive: boolean): Rung {
  if (!enabled) return { name: "shake", propose: () => [] };
  return aggressive ? aggressiveShakeRung(shake) : shakeRung(shake);
}
