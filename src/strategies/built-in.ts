import type { IsProtectedFile } from "../redaction/check-names.ts";
import type { Flag, FlagValue, NumberSetting } from "./pass-setting.ts";
import { type Pass, type Strategy, usePass } from "./strategy.ts";
import type { SummaryRules } from "./summaries/user-rules.ts";

/** The settings that the passes of Coppice read. */
export interface PassSettings {
  /** The effective flags of `strategies.aggressivePruning`. */
  readonly flags: Readonly<Record<string, FlagValue>>;
  readonly pruneToolInputs: boolean;
  readonly ingestCap: number | null;
  readonly strategies: {
    readonly purgeErrors: { readonly enabled: boolean; readonly turns: number };
    readonly spent: {
      readonly results: number;
      readonly views: number | null;
      readonly rested: number;
      readonly inputs: number;
    };
    readonly intelligentPruning: boolean;
    readonly pruneMinimum: number;
  };
  /** The model binds reasoning to the text before it. */
  readonly bound: boolean;
  /** Old text shrinks without a request. */
  readonly shrinks: boolean;
  /** `shrinks`, and `intelligentPruning` is on. */
  readonly summarizes: boolean;
  /** `shrinks`, and `spent` is enabled. */
  readonly spends: boolean;
  /** Errors stay in full. */
  readonly wholeErrors: boolean;
  readonly rules: SummaryRules;
  readonly isProtectedFile: IsProtectedFile;
}

/** One of Coppice's own strategies. It defines how the configuration turns it on, and its options. */
export interface BuiltIn<Options = undefined> extends Strategy<Options> {
  /** Its switch. Several strategies may share one. */
  readonly flag?: Flag;
  /** The value of the flag that turns it on. Default: `true`. */
  readonly onAt?: FlagValue;
  /** Its numbers in the configuration. */
  readonly settings?: readonly NumberSetting[];
  /** Checks further settings. If it is not defined, the flag alone decides. */
  isOn?(settings: PassSettings): boolean;
  optionsFor?(settings: PassSettings): Options;
}

/** The pass, if these settings turn it on. */
export function useBuiltIn(strategy: BuiltIn<unknown>, settings: PassSettings): Pass | undefined {
  const { flag, onAt = true } = strategy;
  if (flag && settings.flags[flag.key] !== onAt) return undefined;
  if (strategy.isOn && !strategy.isOn(settings)) return undefined;
  return usePass(strategy, strategy.optionsFor?.(settings));
}
