import type { OwnProtocol } from "../formats/text-protocols/own-protocol.ts";
import type { ModelOverride } from "../models/profile.ts";
import type { ScheduleMode } from "../schedule/choose-cut.ts";
import type { PresetName } from "../strategies/pass-setting.ts";
import type { SummaryRule } from "../strategies/summaries/user-rules.ts";
import type { TrimStrategy } from "../strategies/trim/trim-options.ts";
import type { ToolKind } from "../tool-kinds/tool-use.ts";
import type { AggressiveFlags, PassOptions } from "./pass-options.ts";

export const NOTIFICATIONS = ["off", "minimal", "detailed"] as const;

export type PruneNotification = (typeof NOTIFICATIONS)[number];

/** A preset and the flags that differ from it. `resolveFlags` gives the effective flags. */
export interface AggressivePruning extends Partial<AggressiveFlags> {
  readonly preset: PresetName;
}

/** The properties of a user's own tools. `path`, `command`, `url` and `query` are names of input fields. */
export interface UserToolKind {
  readonly names: readonly string[];
  readonly kind: ToolKind;
  readonly path?: string;
  readonly command?: string;
  readonly url?: string;
  readonly query?: string;
  /** One word for the subject of a whole result: `page`. */
  readonly snapshot?: string;
  readonly identifying?: readonly string[];
}

/** The values of a model that a configuration may set. */
export type PriceOverride = Omit<ModelOverride, "tokenizer">;

interface Switch {
  readonly enabled: boolean;
}

/**
 * The effective settings. `schema.ts` describes each key, `defaults.ts` has its default. The protected lists are
 * complete: the built-in entries and those of every level, without the entries that `unprotect` removes.
 */
export interface Config {
  readonly enabled: boolean;
  readonly debug: boolean;
  readonly pruneNotification: PruneNotification;
  readonly commands: Switch & { readonly protectedTools: readonly string[] };
  readonly protectedFilePatterns: readonly string[];
  readonly unprotect: readonly string[];
  readonly tools: {
    readonly settings: {
      readonly protectedTools: readonly string[];
      readonly protectedCommands: readonly string[];
      readonly enableAssistantMessagePruning: boolean;
      readonly enableReasoningPruning: boolean;
      readonly enableVisibleAssistantHashes: boolean;
    };
    readonly discard: Switch;
    readonly distill: Switch & { readonly showDistillation: boolean };
    readonly replace: Switch;
    readonly recall: Switch;
    readonly todoReminder: Switch & {
      readonly initialTurns: number;
      readonly repeatTurns: number;
      readonly stuckTaskTurns: number;
    };
    readonly automataMode: Switch & { readonly initialTurns: number };
  };
  readonly strategies: PassOptions["strategies"] & {
    readonly purgeErrors: Switch & PassOptions["strategies.purgeErrors"];
    readonly aggressivePruning: AggressivePruning;
    readonly intelligentPruning: boolean;
    readonly spent: Switch & PassOptions["strategies.spent"];
    readonly pruneProtect: number;
    readonly compactThreshold: number;
    readonly shake: {
      readonly protectTokens: number;
      readonly minSavings: number;
      readonly fenceMinTokens: number;
      readonly protectedTools: readonly string[];
    };
    readonly trim: {
      readonly strategy: TrimStrategy;
      readonly preserveRecentTurns: number;
      readonly maxAge: number;
      readonly reservedOutputTokens: number;
    };
  };
  readonly summaries: readonly SummaryRule[];
  readonly toolKinds: readonly UserToolKind[];
  readonly textProtocols: readonly OwnProtocol[];
  readonly window: number | null;
  readonly shadow: boolean;
  readonly statistics: {
    /** A path is relative to the project's folder. */
    readonly store: boolean | string;
  };
  readonly keepBytes: number;
  readonly prefix: {
    readonly dropTools: readonly string[];
  };
  readonly schedule: PassOptions["schedule"] & {
    readonly mode: ScheduleMode;
    readonly model: string | null;
    /** By glob over model ids; prices written without a model are those of `*`. */
    readonly prices: Readonly<Record<string, PriceOverride>>;
    readonly requestedLimit: number;
    readonly dropReasoning: boolean;
    readonly ownMark: boolean;
  };
}

/** The settings of one level: any part of a `Config`. A key that is `undefined` is not set. */
export type PartialConfig = DeepPartial<Config>;

type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T;
