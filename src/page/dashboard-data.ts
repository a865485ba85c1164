import type { ArmsComparison } from "../analysis/compare-arms.ts";
import type { WorkComparison } from "../analysis/compare-work.ts";
import type { Mechanism } from "../edits/mechanism.ts";
import type { CacheLoss, LossSum } from "../prefix/cache-loss.ts";
import type { LossCause } from "../prefix/explain-loss.ts";
import type { CutReason } from "../schedule/choose-cut.ts";
import type { DayRow, SessionRow } from "../stores/store.ts";
import type { WithAndWithout } from "./data.ts";

/** What the proxy tells the dashboard: plain JSON, a snapshot first and then what changed. */

/** A request as it passed through the proxy. Tokens are estimated, what stands before the messages included. */
export interface LiveRequest {
  /** In its session, from 1. */
  readonly number: number;
  /** A client's compaction begins another. */
  readonly segment: number;
  readonly time: number;
  readonly state: "sent" | "answered" | "failed";
  /** Of the answer, once its beginning is there. */
  readonly status?: number;
  readonly raw: number;
  readonly pruned: number;
  /** How many of the `pruned` tokens came from the cache, by the provider's count. */
  readonly cached?: number;
  /** Was what should have been in the provider's cache there? `new`: not much should have been. */
  readonly cache?: "hit" | "miss" | "new";
  /** What should have been there by the provider's own count of the request before, and why it was not. */
  readonly loss?: CacheLoss;
  readonly window: number;
  /** Above this many tokens the context is under pressure. */
  readonly threshold: number;
  /** What was paid for it by the usage in its answer, and what it would have cost without Coppice; in USD. */
  readonly dollars?: WithAndWithout;
  readonly cut?: LiveCut;
  /** Tokens that could be cut and wait for their moment. */
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

/** Something that was cut, or that waits to be. */
export interface CutSubject {
  /** The call that it is of: `bash npm test`. */
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
  /** The session that a subagent was started in. */
  readonly parent?: string;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly requests: number;
  /** Requests of the client's own, without tools: titles, summaries. */
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
  /** Losses of the provider's cache by cause, where there were any. */
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
  /** By the proxy's clock, now. */
  readonly time: number;
  readonly sessions: readonly (LiveSession & { readonly trend: Trend })[];
  readonly stored: readonly SessionRow[];
  /** Those of this month. */
  readonly days: readonly DayRow[];
  /** Of conversations that were pruned with those that were held out, where any were. */
  readonly comparison?: ArmsComparison;
  /** How the agents' work goes, with and without pruning. */
  readonly work?: WorkComparison;
}

/** What changed since the snapshot or the last of these. */
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
  /** In memory, those with the newest request first. */
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
