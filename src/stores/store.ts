import type { WorkCounts } from "../facts/work-counts.ts";
import type { RequestTerms, Usage } from "../transcript/message.ts";

/** One row per request (boundary): what the pruner was told of it, and what came back. No text. */
export interface JournalRow {
  /** Hash of the prefix: the chain of the decoded messages' hashes. */
  readonly key: string;
  readonly terms: RequestTerms;
  readonly usage?: Usage;
  /** The model that answered. */
  readonly answeredBy?: string;
  /** Of Coppice. */
  readonly version: string;
  /** Hash of the configuration. */
  readonly config: string;
}

/** What came back for a request. */
export interface StoredAnswer {
  readonly usage?: Usage;
  /** The model that answered. */
  readonly model?: string;
}

/** Which part of a holdout a conversation is in: pruned as ever, or left as it is to compare with. */
export type Arm = "pruned" | "heldOut";

/** One request, for the sums of its session and its day. */
export interface RequestSums {
  readonly session: string;
  /** In milliseconds since 1970; its UTC day is the day that it counts for. */
  readonly time: number;
  readonly client?: string;
  readonly model?: string;
  /** A folder's name. Of a path the last name is kept. */
  readonly folder?: string;
  /** Input tokens that were sent, as estimated. */
  readonly tokensWith: number;
  /** Those that would have been sent without Coppice. */
  readonly tokensWithout: number;
  /** In USD. Counted where both costs are given; a model without a price has neither. */
  readonly costWith?: number;
  readonly costWithout?: number;
  /** As the provider counted. */
  readonly usage?: Usage;
  /** What was really paid for it, in USD: its usage, output included, at the model's prices. */
  readonly cost?: number;
  /** Given while a holdout runs. */
  readonly arm?: Arm;
  readonly cuts: number;
  /** What can be seen in it of how the agent's work goes. */
  readonly work?: WorkCounts;
}

/** A request that was sent again to keep its prefix in the provider's cache. */
export interface PingSums {
  readonly session: string;
  /** In milliseconds since 1970; its UTC day is the day that it counts for. */
  readonly time: number;
  /** What was really paid for it, in USD. */
  readonly cost?: number;
}

/** Sums over requests. */
export interface Sums {
  readonly requests: number;
  readonly tokensWith: number;
  readonly tokensWithout: number;
  /** How many of the requests the costs are of: the others had no price. */
  readonly priced: number;
  readonly costWith?: number;
  readonly costWithout?: number;
  /** How many of the requests the usage is of. */
  readonly answered: number;
  readonly usage?: Usage;
  /** How many of the requests the real cost is of. */
  readonly paid: number;
  /** What was really paid for them, and for all pings, in USD. */
  readonly cost?: number;
  /** They do not count as requests. */
  readonly pings: number;
  /** How many of the requests were made in each arm of a holdout; of the others none ran. */
  readonly arms: Readonly<Record<Arm, number>>;
  readonly cuts: number;
  /** How the agent's work goes. Its `requests` are those of which this is known: those of older versions are not. */
  readonly work: WorkCounts;
}

export interface SessionRow extends Sums {
  readonly id: string;
  /** Client, model and folder are those of the newest request that named one. */
  readonly client?: string;
  readonly model?: string;
  readonly folder?: string;
  readonly startedAt: number;
  readonly lastAt: number;
}

export interface DayRow extends Sums {
  /** `2026-11-17`, in UTC. */
  readonly day: string;
}

/**
 * The journal and the statistics. Several handles, in one process or in many, may use the same place at once.
 *
 * Keys, ids and names may hold any characters. One that is longer than 200, or that a database could not hold (NUL, half a
 * surrogate pair), is kept as its beginning and a hash. What is no finite number is left out. `Usage` that is all zero
 * means unknown, and is left out too.
 *
 * A write that resolved survives the sudden end of the process. Every method may reject; `openStore` gives a store that never does.
 */
export interface Store {
  /** Those of these keys that are known, in the order of the keys, each once. */
  readRequests(keys: readonly string[]): Promise<readonly JournalRow[]>;
  /** The first word on a request counts: a row that is there keeps what it has; missing fields are filled. */
  writeRequest(row: JournalRow): Promise<void>;
  /** What came back for a request. Unknown key: ignored. The first word counts here too. */
  writeAnswer(key: string, answer: StoredAnswer): Promise<void>;
  /** Adds one request to its session's sums (made if it is new) and to its day's sums, both or none. */
  addRequest(request: RequestSums): Promise<void>;
  /** Adds a ping to the sums of its session, if that is known, and to its day's, both or none. Times and names stay. */
  addPing(ping: PingSums): Promise<void>;
  /** The newest first. `since`: those with a request at this time or later. */
  listSessions(options?: {
    readonly since?: number;
    readonly limit?: number;
  }): Promise<readonly SessionRow[]>;
  /** The oldest first. `from` and `to` are days, and both are included. */
  listDays(options?: { readonly from?: string; readonly to?: string }): Promise<readonly DayRow[]>;
  /** May be called again. Everything else rejects afterwards. */
  close(): Promise<void>;
}
