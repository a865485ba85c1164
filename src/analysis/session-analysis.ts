import type { WorkCounts } from "../facts/work-counts.ts";
import type { RecordingSource } from "../recordings/recording.ts";
import type { SessionLabel } from "../recordings/session-label.ts";
import type { Uncut } from "../reports/uncut.ts";
import type { PresetName } from "../strategies/pass-setting.ts";
import type { CacheFigures } from "./cache-figures.ts";
import type { Day } from "./calendar.ts";
import type { PrefixCost } from "./prefix-share.ts";

/** Where the tokens and the money of one session went. Plain data; money is in US dollars, as the session's book has it. */
export interface SessionAnalysis extends SessionLabel {
  readonly path: string;
  /** What the agent calls it. */
  readonly session?: string;
  readonly source: RecordingSource;
  /** In the order of first use. */
  readonly models: readonly string[];
  /** Tokens of the largest request. */
  readonly peak: number;
  /** Oldest first; requests without a time come first, and have no day. */
  readonly days: readonly DaySpending[];
  /** Names of the tools that it and its subagents called. */
  readonly called: readonly string[];
  /** Those whose cache prices no list has: they were assumed. */
  readonly assumedCaches: readonly string[];
  /** Lines that could not be read. */
  readonly skipped: number;
  /** Why nothing is cut in it, as Coppice is configured; missing where something is. */
  readonly uncut?: Uncut;
}

/** A day of a session. */
export interface DaySpending {
  readonly day?: Day;
  readonly models: readonly ModelSpending[];
  /** By tool, and by kind of text. Together the kinds are all that was paid. */
  readonly tools: readonly Spending[];
  readonly kinds: readonly Spending[];
  /** What something newer had already replaced, each time that it was sent again. */
  readonly stale: Carried;
  /** Requests after the first whose whole prefix had to be written again, and what that cost beyond reading it. */
  readonly coldStarts: Carried & { readonly count: number };
  readonly rereads: readonly Reread[];
  /** What can be seen of how the agent's work went. */
  readonly work: WorkCounts;
  readonly prefix: PrefixCost;
  /** Why the provider's cache was lost, and what caches of either life would have cost. */
  readonly caches: CacheFigures;
}

/** What was paid to one model, and what would have been saved. */
export interface ModelSpending {
  /** Missing where none was recorded. */
  readonly model?: string;
  readonly requests: number;
  /** Tokens of all requests together, and of all answers. */
  readonly sent: number;
  readonly written: number;
  readonly dollars: number;
  /** Of the dollars, what rests on an estimate. */
  readonly estimated: number;
  /** By pruning as it is configured. */
  readonly avoidable: number;
  /** By each preset. */
  readonly saved: Readonly<Record<PresetName, number>>;
  /** Requests whose price is not known: their money is in none of the sums. */
  readonly unpriced: number;
}

/** What one tool, or one kind of text, cost. */
export interface Spending extends Carried {
  readonly name: string;
  /** Its tokens, each counted once. */
  readonly size: number;
}

/** Tokens times the requests that they were sent in, and the money for that. */
export interface Carried {
  readonly tokens: number;
  readonly dollars: number;
}

/** A file that was read more than once. */
export interface Reread {
  readonly file: string;
  /** How often after the first time. */
  readonly times: number;
  /** Tokens of all these results. */
  readonly tokens: number;
}
