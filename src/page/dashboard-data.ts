import type { ArmsComparison } from "../analysis/compare-arms.ts";
import type { WorkComparison } from "../analysis/compare-work.ts";
import type { Mechanism } from "../edits/mechanism.ts";
import type { CacheLoss, LossSum } from "../prefix/cache-loss.ts";
import type { LossCause } from "../prefix/explain-loss.ts";
import type { CutReason } from "../schedule/choose-cut.ts";
import type { DayRow, SessionRow } from "../stores/store.ts";
import type { WithAndWithout } from "./data.ts";

/** The data that the proxy sends to the dashboard: plain JSON, a snapshot first and then the changes. */

/** A request of the proxy. Tokens are estimates, and include the text before the messages. */
export interface LiveRequest {
  /** Its number in the session, from 1. */
  readonly number: number;
  /** A compaction by the client begins another. */
  readonly segment: number;
  readonly time: number;
  readonly state: "sent" | "answered" | "failed";
  /** The answer's status, once it has begun. */
  readonly status?: number;
  readonly raw: number;
  readonly pruned: number;
  /** How many of the `pruned` tokens came from the cache, as the provider counts them. */
  readonly cached?: number;
  /** Was the expected text in the provider's cache? `new`: not much was expected. */
  readonly cache?: "hit" | "miss" | "new";
  /**
   * The tokens that should have been there by the provider's own count of the previous request, and why they were
   * not.
   */
  readonly loss?: CacheLoss;
  readonly window: number;
  /** Above this many tokens, the context is under pressure. */
  readonly threshold: number;
  /** Its actual cost from the usage in its answer, and its cost without Coppice; in USD. */
  readonly dollars?: WithAndWithout;
  readonly cut?: LiveCut;
  /** Tokens that wait to be cut. */
  readonly waits: number;
}

export interface LiveCut {
  readonly reason: CutReason;
  readonly edits: number;
  /** Tokens saved at each request from then on. */
  readonly saved: number;
  /** The largest of them. */
  readonly largest: readonly CutSubject[];
}

/** A part that was cut, or that waits to be cut. */
export interface CutSubject {
  /** The call that it belongs to: `bash npm test`. */
  readonly what?: string;
  readonly mechanism?: Mechanism;
  readonly reason: string;
  readonly saved: number;
}

/** A session that the proxy has in memory. */
export interface LiveSession {
  readonly id: string;
  readonly client?: string;
  readonly model?: string;
  readonly folder?: string;
  /** The session that started a subagent. */
  readonly parent?: string;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly requests: number;
  /** The client's own requests, without tools: titles, summaries. */
  readonly questions: number;
  /** Requests whose answer has not ended. */
  readonly underWay: number;
  readonly segments: number;
  readonly cuts: number;
  /** The context at the newest request. */
  readonly raw: number;
  readonly pruned: number;
  readonly window: number;
  readonly waits: number;
  readonly waiting: readonly CutSubject[];
  /** Over all answered requests, in USD. */
  readonly dollars?: WithAndWithout;
  readonly hits: number;
  readonly misses: number;
  /** Losses of the provider's cache by cause, if there were any. */
  readonly losses?: readonly LossSum[];
  readonly isHeldOut: boolean;
  /** Are its messages still in memory, so that it can be opened? */
  readonly isOpen: boolean;
}

/** The context without and with pruning, request by request. */
export type Trend = readonly (readonly [raw: number, pruned: number])[];

export interface Snapshot {
  readonly version: string;
  /** Of the proxy. */
  readonly startedAt: number;
  /** The proxy's current time. */
  readonly time: number;
  readonly sessions: readonly (LiveSession & { readonly trend: Trend })[];
  readonly stored: readonly SessionRow[];
  /** Days of this month. */
  readonly days: readonly DayRow[];
  /** Conversations that were pruned, compared with those that were held out, if there were any. */
  readonly comparison?: ArmsComparison;
  /** How the agents' work goes, with and without pruning. */
  readonly work?: WorkComparison;
}

/** The changes since the snapshot or the last event. */
export interface Changes {
  readonly time: number;
  readonly sessions?: readonly (LiveSession & { readonly changed: readonly LiveRequest[] })[];
  /** Ids of sessions that are no longer in memory. */
  readonly gone?: readonly string[];
  readonly stored?: readonly SessionRow[];
  readonly days?: readonly DayRow[];
  readonly comparison?: ArmsComparison;
  /** How the agents' work goes, with and without pruning. */
  readonly work?: WorkComparison;
}

/** `/coppice/status`. */
export interface ProxyStatus {
  readonly version: string;
  readonly startedAt: number;
  readonly time: number;
  /** Sessions in memory, those with the newest request first. */
  readonly sessions: readonly LiveSession[];
  readonly stored: readonly SessionRow[];
  readonly days: readonly DayRow[];
  readonly comparison?: ArmsComparison;
  /** How the agents' work goes, with and without pruning. */
  readonly work?: WorkComparison;
}

/** `/coppice/statusline`: the few figures of a client's status line. */
export interface LineFigures {
  readonly name: "coppice";
  /** Saved today, a day of UTC; less than nothing where cuts have not paid for themselves yet. */
  readonly saved: {
    readonly tokens: number;
    /** In USD, of requests whose model has a price; missing where none has. */
    readonly dollars?: number;
  };
  /** Of the session that was asked for, where the proxy has it in memory. */
  readonly session?: {
    /** The context at its newest request, in estimated tokens. */
    readonly raw: number;
    readonly pruned: number;
    /** The share of the newest answered request that came from the provider's cache, from 0 to 1. */
    readonly cached?: number;
    /** Why that request did not find in the cache what should have been there. */
    readonly lost?: LossCause;
  };
}
