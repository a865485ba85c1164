import { agentCommands } from "../agent/agent-commands.ts";
import type { Config } from "../config/config.ts";
import { resolveFlags } from "../config/presets.ts";
import { matchFiles } from "../protection/protection.ts";
import { type PassSettings, useBuiltIn } from "../strategies/built-in.ts";
import { PASSES } from "../strategies/passes.ts";
import { type Pass, usePass } from "../strategies/strategy.ts";
import { compileSummaryRules } from "../strategies/summaries/user-rules.ts";

/** The situation in which the passes are used. */
interface PassesFor {
  readonly agentTools: boolean;
  /** The model binds reasoning to the text before it. */
  readonly bound: boolean;
}

/** The passes that a configuration turns on, in the order in which they are called. */
export function choosePasses(config: Config, { agentTools, bound }: PassesFor): readonly Pass[] {
  const settings = readPassSettings(config, bound);
  const passes = PASSES.flatMap((strategy) => useBuiltIn(strategy, settings) ?? []);
  return agentTools ? [usePass(agentCommands), ...passes] : passes;
}

/**
 * If reasoning is bound, hardly any text can be cut after it was sent. So more text is shortened before it is first
 * sent: smaller results, reads of text that the context shows already, and inputs of calls that have succeeded.
 */
function readPassSettings(config: Config, bound: boolean): PassSettings {
  const { strategies, schedule, summaries } = config;
  const shrinks = !isVerbose(config);
  const flags = resolveFlags(strategies.aggressivePruning);
  const { pruneRereads = shrinks } = strategies.aggressivePruning;
  return {
    flags: { ...flags, ...(bound && { pruneRereads }) },
    pruneToolInputs: flags.pruneToolInputs,
    ingestCap: bound ? lowerCap(schedule.ingestCap) : schedule.ingestCap,
    strategies,
    bound,
    shrinks,
    summarizes: shrinks && strategies.intelligentPruning,
    spends: shrinks && strategies.spent.enabled,
    wholeErrors: !flags.truncateOldErrors,
    rules: compileSummaryRules(summaries),
    isProtectedFile: matchFiles({ files: config.protectedFilePatterns }),
  };
}

/** Share of `ingestCap` that applies if reasoning is bound. */
const BOUND_CAP_SHARE = 1 / 2;

function lowerCap(cap: number | null): number | null {
  return cap === null ? null : Math.ceil(BOUND_CAP_SHARE * cap);
}

/** Under this preset old text does not shrink, not even under pressure. */
export function isVerbose({ strategies }: Config): boolean {
  return strategies.aggressivePruning.preset === "verbose";
}
