import type { WorkCounts } from "../facts/work-counts.ts";
import type { RequestTerms, Usage } from "../transcript/message.ts";

/** One row per request: the terms it was pruned with, and its answer. No text. */
export interface JournalRow {
  /** Hash of the prefix: the chain of the decoded messages' hashes. */
  readonly key: string;
  readonly terms: RequestTerms;
  readonly usage?: Usage;
  /** The model that answered. */
  readonly answeredBy?: string;
  /** The version of Coppice. */
  readonly version: string;
  /** Hash of the configuration. */
  readonly config: string;
}

/** The answer to a request. */
export interface StoredAnswer {
  readonly usage?: Usage;
  /** The model that answered. */
  readonly model?: string;
}

/** A conversation's group in a holdout: pruned as usual, or unpruned for comparison. */
export type Arm = "pruned" | "heldOut";

/** One request, for the totals of its session and its day. */
export interface RequestSums {
  readonly session: string;
  /** In milliseconds since 1970; the request counts for its UTC day. */
  readonly time: number;
  readonly client?: string;
  readonly model?: string;
  /** A folder's name. Only the last name of a path is kept. */
  readonly folder?: string;
  /** Estimated input tokens that were sent. */
  readonly tokensWith: number;
  /** Estimated input tokens without Coppice. */
  readonly tokensWithout: number;
  /** In USD. Used only if both costs are present; a model without a price has neither. */
  readonly costWith?: number;
  readonly costWithout?: number;
  /** As reported by the provider. */
  readonly usage?: Usage;
  /** The actual cost in USD: its usage, output included, at the model's prices. */
  readonly cost?: number;
  /** Present while a holdout runs. */
  readonly arm?: Arm;
  readonly cuts: number;
  /** Signs in it of how the agent's work goes. */
  readonly work?: WorkCounts;
}

/** A request that was sent again to keep its prefix in the provider's cache. */
export interface PingSums {
  readonly session: string;
  /** In milliseconds since 1970; the ping counts for its UTC day. */
  readonly time: number;
  /** The actual cost in USD. */
  readonly cost?: number;
}

/** Totals over requests. */
export interface Sums {
  readonly requests: number;
  readonly tokensWith: number;
  readonly tokensWithout: number;
  /** How many of the requests are in the costs: the others had no price. */
  readonly priced: number;
  readonly costWith?: number;
  readonly costWithout?: number;
  /** How many of the requests are in the usage. */
  readonly answered: number;
  readonly usage?: Usage;
  /** How many of the requests are in the actual cost. */
  readonly paid: number;
  /** The actual cost of these requests and of all pings, in USD. */
  readonly cost?: number;
  /** Pings are not included in `requests`. */
  readonly pings: number;
  /** How many of the requests belong to each arm of a holdout; the others were made without one. */
  readonly arms: Readonly<Record<Arm, number>>;
  readonly cuts: number;
  /** How the agent's work goes. Its `requests` are those with this data: older versions did not record it. */
  readonly work: WorkCounts;
}

export interface SessionRow extends Sums {
  readonly id: string;
  /** Client, model and folder come from the newest request that named one. */
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
 * The journal and the statistics. Several handles, in one or more processes, may use the same place at once.
 *
 * Keys, ids and names may contain any characters. A value that is longer than 200, or that a database can't store
 * (NUL, half a surrogate pair), is replaced by its beginning and a hash. Numbers that are not finite are left out.
 * `Usage` that is all zero means unknown, and is left out too.
 *
 * A write that resolved survives a crash of the process. Every method may reject; `openStore` returns a store that
 * never does.
 */
export interface Store {
  /** The rows of the known keys, in the order of the keys, each once. */
  readRequests(keys: readonly string[]): Promise<readonly JournalRow[]>;
  /** The first value for a request stays: an existing row keeps its fields; missing fields are filled. */
  writeRequest(row: JournalRow): Promise<void>;
  /** Stores the answer to a request. Ignores unknown keys. Here too, the first value stays. */
  writeAnswer(key: string, answer: StoredAnswer): Promise<void>;
  /** Adds one request to the totals of its session (created if new) and of its day, both or none. */
  addRequest(request: RequestSums): Promise<void>;
  /**
   * Adds a ping to the totals of its session, if that is known, and of its day, both or none. Times and names stay.
   */
  addPing(ping: PingSums): Promise<void>;
  /** The newest first. `since`: only sessions with a request at this time or later. */
  listSessions(options?: {
    readonly since?: number;
    readonly limit?: number;
  }): Promise<readonly SessionRow[]>;
  /** The oldest first. `from` and `to` are days, and both are included. */
  listDays(options?: { readonly from?: string; readonly to?: string }): Promise<readonly DayRow[]>;
  /** May be called again. All other methods reject afterwards. */
  close(): Promise<void>;
}
