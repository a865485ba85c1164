import type { RequestTerms, Usage } from "../transcript/message.ts";

/** One request as a journal keeps it: what the pruner was told of it, and what came back. No text. */
export interface RequestRow {
  /** `report.key` of the request: a hash of its messages. */
  readonly key: string;
  readonly terms: RequestTerms;
  readonly usage?: Usage;
  /** The model that answered. */
  readonly answeredBy?: string;
}

/** What came back for a request. */
export type RequestAnswer = Omit<RequestRow, "key" | "terms">;

/** Requests that are remembered; some 100 bytes each. */
const REQUESTS_KEPT = 50_000;

/**
 * What is known of requests beside their messages, by a hash of these. It outlives the folds, so a fork, and a session whose
 * fold had to go, give the same bytes as before. The first word on a request counts.
 */
export class RequestMemory {
  readonly #rows = new Map<string, RequestRow>();

  get(key: string | undefined): RequestRow | undefined {
    return key === undefined ? undefined : this.#rows.get(key);
  }

  /** What was reckoned with: the newest word counts, where a host corrects an earlier one. */
  note(key: string, terms: RequestTerms): void {
    this.#put({ ...this.#rows.get(key), key, terms });
  }

  /** Rows from a journal. */
  learn(rows: readonly RequestRow[]): void {
    for (const row of rows) this.#put({ ...row, ...this.#rows.get(row.key) });
  }

  answered(key: string, { usage, answeredBy }: RequestAnswer): void {
    const row = this.#rows.get(key);
    if (!row) return;
    this.#put({ ...(usage && { usage }), ...(answeredBy !== undefined && { answeredBy }), ...row });
  }

  #put(row: RequestRow): void {
    this.#rows.delete(row.key);
    this.#rows.set(row.key, row);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > REQUESTS_KEPT && oldest !== undefined) this.#rows.delete(oldest);
  }
}
