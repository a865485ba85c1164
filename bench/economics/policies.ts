import type { PartialConfig } from "../../src/config/config.ts";
import { makePolicy } from "../../src/fold/policy.ts";
import type { PrunerOptions } from "../../src/pruner.ts";
import type { Recording } from "../../src/recordings/index.ts";
import { coldCoppice } from "../../src/replay/cold-coppice.ts";
import {
  clearAtThreshold,
  clearToolUses,
  coppicePolicy,
  keepLastResults,
  noPruning,
  type ReplayPolicy,
  rewriteAtThreshold,
} from "../../src/replay/index.ts";
import { applyShakeRegions } from "../../src/strategies/shake/apply-shake-regions.ts";
import { collectShakeRegions } from "../../src/strategies/shake/collect-shake-regions.ts";
import { DEFAULT_SHAKE_CONFIG } from "../../src/strategies/shake/shake-config.ts";
import { trimByPriority } from "../../src/strategies/trim/trim-by-priority.ts";
import { BEFORE, openBefore } from "./before.ts";
import type { Terms } from "./options.ts";
import { type PruneSettings, prunesMessages } from "./peers/ai-sdk.ts";
import { editsContext, trimsMessages } from "./peers/langchain.ts";
import { askLibrary } from "./peers/library-policy.ts";

/** A policy by name. Those that call a library work out their views before the replay, for the library may be slow to answer. */
export interface BenchPolicy {
  readonly name: string;
  readonly open: (recording: Recording) => ReplayPolicy | Promise<ReplayPolicy>;
}

/** A configuration to try, beside the policies that have names. */
export interface NamedConfig {
  readonly name: string;
  readonly config: PartialConfig;
}

const EAGER: PartialConfig = { schedule: { mode: "eager" } };

function usePreset(preset: "compact" | "balanced" | "verbose"): PartialConfig {
  return { strategies: { aggressivePruning: { preset } } };
}

function rule(policy: ReplayPolicy): BenchPolicy {
  return { name: policy.name, open: () => policy };
}

function coppice(name: string, config: PartialConfig = {}, options: PrunerOptions = {}): BenchPolicy {
  const all = { ...options, config };
  // Tags and reminders are no edits: only live requests show them.
  if (options.agentTools) return rule(coppicePolicy(all, name));
  return { name, open: (recording) => coldCoppice(name, all, recording) };
}

/** Every pass of the default alone, without waiting: what each mechanism does. */
function listSinglePasses(): readonly BenchPolicy[] {
  return makePolicy({}).passes.map((pass) =>
    coppice(`only ${pass.name}`, EAGER, { passes: [pass], ladder: [] }),
  );
}

/** Those that are libraries. Their modules are loaded when they are asked for. */
const PEERS: readonly BenchPolicy[] = [
  pruning("ai pruneMessages (last 20)", {
    reasoning: "before-last-message",
    toolCalls: "before-last-20-messages",
  }),
  pruning("ai pruneMessages (last)", { reasoning: "all", toolCalls: "before-last-message" }),
  {
    name: "langchain trimMessages (100k)",
    async open(recording) {
      const core = await import("@langchain/core/messages");
      return askLibrary(this.name, recording, trimsMessages(core, 100_000));
    },
  },
  {
    name: "langchain contextEditing",
    async open(recording) {
      const core = await import("@langchain/core/messages");
      const { contextEditingMiddleware } = await import("langchain");
      return askLibrary(this.name, recording, editsContext(core, contextEditingMiddleware));
    },
  },
];

function pruning(name: string, settings: PruneSettings): BenchPolicy {
  return {
    name,
    async open(recording) {
      const { pruneMessages } = await import("ai");
      return askLibrary(name, recording, prunesMessages(pruneMessages, settings));
    },
  };
}

/** Coppice's own functions over messages, outside its fold. */
const FUNCTIONS: readonly BenchPolicy[] = [
  rule(
    rewriteAtThreshold("shake at 100k", 100_000, (messages, format) => {
      const regions = collectShakeRegions(messages, DEFAULT_SHAKE_CONFIG, { format });
      return applyShakeRegions(
        messages,
        regions.map((region) => ({ region })),
        { format },
      ).messages;
    }),
  ),
  rule(
    rewriteAtThreshold(
      "trimByPriority at 100k",
      100_000,
      (messages, format) => trimByPriority(messages, { targetTokens: 80_000, format }).messages,
    ),
  ),
];

const COPPICE = "Coppice";

/** All that can be asked for by name. The table has them in this order. */
export function listPolicies(overheadTokens: number): readonly BenchPolicy[] {
  return [
    rule(noPruning),
    rule(keepLastResults(10)),
    rule(clearToolUses()),
    rule(clearAtThreshold({ tokens: 100_000, keep: 3 })),
    ...PEERS,
    ...FUNCTIONS,
    coppice(COPPICE),
    coppice(`${COPPICE} + tools`, {}, { agentTools: true, overheadTokens }),
    coppice(`${COPPICE} compact`, usePreset("compact")),
    coppice(`${COPPICE} verbose`, usePreset("verbose")),
    coppice(`${COPPICE} at pressure`, { schedule: { mode: "pressure" } }),
    coppice(`${COPPICE} eager`, EAGER),
    coppice(`${COPPICE} compact eager`, { ...usePreset("compact"), ...EAGER }),
    ...listSinglePasses(),
  ];
}

/**
 * What the terms ask for, no pruning first. Names are whole names or beginnings of them, in any case; none means all.
 * With configurations to try and no names, only Coppice as it is stands beside them.
 */
export function choosePolicies({
  policies: names,
  configs,
  before,
  overheadTokens,
}: Pick<Terms, "policies" | "configs" | "before" | "overheadTokens">): readonly BenchPolicy[] {
  const known = listPolicies(overheadTokens);
  const wanted = names.length === 0 && configs.length > 0 ? [COPPICE] : names;
  const chosen = wanted.map((name) => findMeant(known, name));
  const tried = configs.map(({ name, config }) => coppice(name, config));
  const isChosen = (policy: BenchPolicy): boolean =>
    wanted.length === 0 || policy.name === noPruning.name || chosen.some((some) => some.includes(policy));
  const older = before === undefined ? [] : [{ name: BEFORE, open: () => openBefore(before) }];
  return [...known.filter(isChosen), ...older, ...tried];
}

/** A whole name means just that one. */
function findMeant(known: readonly BenchPolicy[], name: string): readonly BenchPolicy[] {
  const asked = name.toLowerCase();
  const whole = known.filter((policy) => policy.name.toLowerCase() === asked);
  const meant = whole.length > 0 ? whole : known.filter((each) => each.name.toLowerCase().startsWith(asked));
  if (meant.length > 0) return meant;
  throw new Error(
    `there is no policy ${name}. There are:${known.map((each) => `\n  ${each.name}`).join("")}`,
  );
}
