import type { RequestTerms, Usage } from "../transcript/message.ts";

/** One request as a journal stores it: its terms, and the usage and model of its response. No text. */
export interface RequestRow {
  /** `report.key` of the request: a hash of its messages. */
  readonly key: string;
  readonly terms: RequestTerms;
  readonly usage?: Usage;
  /** The model that answered. */
  readonly answeredBy?: string;
}

/** The usage and model of a response. */
export type RequestAnswer = Omit<RequestRow, "key" | "terms">;

/** The number of requests to remember; each takes about 100 bytes. */
const REQUESTS_KEPT = 50_000;

/**
 * The terms and responses of requests, by a hash of the request's messages. The memory outlives the folds, so a fork
 * of a session, and a session whose fold was removed, send the same bytes as before. The first value for a request
 * counts.
 */
export class RequestMemory {
  readonly #rows = new Map<string, RequestRow>();

  get(key: string | undefined): RequestRow | undefined {
    return key === undefined ? undefined : this.#rows.get(key);
  }

  /** Notes the terms that were used. The newest counts, because a host may correct earlier ones. */
  note(key: string, terms: RequestTerms): void {
    this.#put({ ...this.#rows.get(key), key, terms });
  }

  /** Adds rows from a journal. */
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
