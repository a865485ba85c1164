import type { WorkCounts } from "../facts/work-counts.ts";
import type { RecordingSource } from "../recordings/recording.ts";
import type { SessionLabel } from "../recordings/session-label.ts";
import type { Uncut } from "../reports/uncut.ts";
import type { PresetName } from "../strategies/pass-setting.ts";
import type { CacheFigures } from "./cache-figures.ts";
import type { Day } from "./calendar.ts";
import type { PrefixCost } from "./prefix-share.ts";

/**
 * Where the tokens and the money of one session went. Plain data; money is in US dollars, from the session's book.
 */
export interface SessionAnalysis extends SessionLabel {
  readonly path: string;
  /** The agent's own id. */
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
  /** Models whose cache prices are in no list: they were assumed. */
  readonly assumedCaches: readonly string[];
  /** Lines that could not be read. */
  readonly skipped: number;
  /** Why nothing is cut in it with the configuration; missing if something is. */
  readonly uncut?: Uncut;
}

/** A day of a session. */
export interface DaySpending {
  readonly day?: Day;
  readonly models: readonly ModelSpending[];
  /** By tool, and by kind of text. All kinds together are the whole bill. */
  readonly tools: readonly Spending[];
  readonly kinds: readonly Spending[];
  /** Text that newer text had already replaced, each time that it was sent again. */
  readonly stale: Carried;
  /** Requests after the first whose whole prefix had to be written again, and the extra cost of that. */
  readonly coldStarts: Carried & { readonly count: number };
  readonly rereads: readonly Reread[];
  /** Signs of how the agent's work went. */
  readonly work: WorkCounts;
  readonly prefix: PrefixCost;
  /** Why the provider's cache was lost, and the cost of caches with either lifetime. */
  readonly caches: CacheFigures;
}

/** The payments for one model, and the possible savings. */
export interface ModelSpending {
  /** Missing if none was recorded. */
  readonly model?: string;
  readonly requests: number;
  /** Tokens of all requests together, and of all answers. */
  readonly sent: number;
  readonly written: number;
  readonly dollars: number;
  /** The estimated part of the dollars. */
  readonly estimated: number;
  /** Savings of pruning with the configuration. */
  readonly avoidable: number;
  /** Savings of each preset. */
  readonly saved: Readonly<Record<PresetName, number>>;
  /** Requests without a known price: their cost is in none of the totals. */
  readonly unpriced: number;
}

/** The cost of one tool, or of one kind of text. */
export interface Spending extends Carried {
  readonly name: string;
  /** Its tokens, each counted once. */
  readonly size: number;
}

/** Tokens times the requests that contained them, and the cost of that. */
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
