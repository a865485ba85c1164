import type { Issue } from "../basics/issue.ts";
import type { Config, PresetName } from "../config/config.ts";
import { type Mechanism, SUPERSEDING } from "../edits/mechanism.ts";
import { makePolicy } from "../fold/policy.ts";
import { profilePricedAs } from "../models/profile-for.ts";
import { createPruner, type Pruner } from "../pruner.ts";
import type { Recording, RecordingSource } from "../recordings/recording.ts";
import { labelSession, type SessionLabel } from "../recordings/session-label.ts";
import { mechanismOf } from "../reports/tally.ts";
import { type ColdStarts, type Spending, spendSession } from "./spend-session.ts";

/** Where the tokens and the money of one session went. Bills are in tokens of plain input; plain data. */
export interface SessionAnalysis extends SessionLabel {
  readonly path: string;
  readonly source: RecordingSource;
  readonly models: readonly string[];
  readonly requests: number;
  /** Tokens of all requests together, and of the largest. */
  readonly sent: number;
  readonly peak: number;
  readonly bill: number;
  /** Where the price of every model is known. */
  readonly dollars?: number;
  readonly tools: readonly Spending[];
  readonly kinds: readonly Spending[];
  /** The part of `sent` that something newer had already replaced. */
  readonly stale: number;
  readonly rereads: readonly Reread[];
  readonly coldStarts: ColdStarts;
  /** What is left of the bill under each preset; 1 is all. */
  readonly presets: Readonly<Record<PresetName, number>>;
  /** Lines that could not be read. */
  readonly skipped: number;
  readonly issues: readonly Issue[];
}

/** A file that was read more than once. */
export interface Reread {
  readonly file: string;
  readonly reads: number;
  /** Tokens of all results after the first. */
  readonly again: number;
}

export function analyzeSession(recording: Recording, path: string, config: Config): SessionAnalysis {
  const spent = spendSession(recording, (model) =>
    profilePricedAs(model, config.schedule.model, config.schedule.prices),
  );
  const { dollars, ...rest } = spent;
  return {
    path,
    source: recording.source,
    ...labelSession(recording),
    models: recording.models,
    ...rest,
    ...(dollars !== undefined && { dollars }),
    stale: measureStale(recording, config),
    presets: {
      compact: measureShare(recording, config, "compact"),
      balanced: measureShare(recording, config, "balanced"),
      verbose: measureShare(recording, config, "verbose"),
    },
    skipped: recording.skipped,
    issues: recording.issues,
  };
}

/** Stale tokens times the requests that still carried them. */
function measureStale(recording: Recording, config: Config): number {
  let stale = 0;
  const eager = usePreset({ ...config, schedule: { ...config.schedule, mode: "eager" } }, "compact");
  const passes = makePolicy({ config: eager }).passes.filter(isSuperseding);
  const pruner = createPruner({ format: recording.format, config: eager, passes, ladder: [] });
  for (const report of reportSegments(recording, pruner)) {
    for (const { edit, boundary } of report.edits) {
      if (edit.type === "undo" || !isSuperseding(edit)) continue;
      stale += edit.saved * Math.max(0, report.steps - boundary);
    }
  }
  return stale;
}

function isSuperseding(by: { readonly mechanism?: Mechanism }): boolean {
  return SUPERSEDING.includes(mechanismOf(by));
}

function measureShare(recording: Recording, config: Config, preset: PresetName): number {
  const pruner = createPruner({ format: recording.format, config: usePreset(config, preset) });
  let [pruned, whole] = [0, 0];
  for (const { bill } of reportSegments(recording, pruner)) {
    pruned += bill.with;
    whole += bill.without;
  }
  return whole === 0 ? 1 : pruned / whole;
}

/** Flags that a configuration sets one by one are ignored here: they would make all presets the same. */
function usePreset(config: Config, preset: PresetName): Config {
  return {
    ...config,
    shadow: false,
    strategies: { ...config.strategies, aggressivePruning: { preset } },
  };
}

function reportSegments({ segments, models }: Recording, pruner: Pruner) {
  const [model] = models;
  return segments.map(
    ({ messages, meta, carried }, index) =>
      pruner.prune(messages, { session: `${index}`, meta, carried, ...(model !== undefined && { model }) })
        .report,
  );
}
