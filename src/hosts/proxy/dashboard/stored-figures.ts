import { type ArmsComparison, compareArms } from "../../../analysis/compare-arms.ts";
import { compareWork, type WorkComparison } from "../../../analysis/compare-work.ts";
import type { DayRow, SessionRow, Store } from "../../../stores/store.ts";

export interface StoredChanges extends Compared {
  readonly stored: readonly SessionRow[];
  readonly days: readonly DayRow[];
}

/** Sessions with and without pruning. */
export interface Compared {
  /** Present if a holdout runs or ran. */
  readonly comparison?: ArmsComparison;
  readonly work?: WorkComparison;
}

/** The most sessions to show. */
const SESSIONS_SHOWN = 500;
/**
 * The longest time between a request and its answer, in milliseconds: a request counts at the time when it was
 * sent, but only after it was answered.
 */
const LONGEST_ANSWER = 3_600_000;
/** How often the newest sessions are compared, in milliseconds, because reading them takes a moment. */
const SESSIONS_COMPARED = 5_000;
const COMPARED_EVERY = 60_000;

/** The store's totals as they were last read, and the changes since. Other programs may write to the same store. */
export class StoredFigures {
  readonly #store: Store;
  readonly #clock: () => number;
  readonly #sessions = new Map<string, SessionRow>();
  readonly #days = new Map<string, DayRow>();
  #compared: Compared = {};
  #comparedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<StoredChanges> | undefined;

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Newest first. */
  get sessions(): readonly SessionRow[] {
    return [...this.#sessions.values()].sort((a, b) => b.lastAt - a.lastAt).slice(0, SESSIONS_SHOWN);
  }

  /** Days of this month. */
  get days(): readonly DayRow[] {
    const month = this.#month();
    return [...this.#days.values()].filter(({ day }) => day.startsWith(month));
  }

  /** The comparison as it was last computed. */
  get compared(): Compared {
    return this.#compared;
  }

  /** Reads again. Returns the rows that have changed; never rejects. */
  refresh(): Promise<StoredChanges> {
    this.#reading ??= this.#read()
      .catch(() => ({ stored: [], days: [] }))
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  async #read(): Promise<StoredChanges> {
    const newest = Math.max(0, ...[...this.#sessions.values()].map(({ lastAt }) => lastAt));
    const [sessions, days] = await Promise.all([
      this.#store.listSessions({ since: newest - LONGEST_ANSWER, limit: SESSIONS_SHOWN }),
      this.#store.listDays({ from: `${this.#month()}-01` }),
    ]);
    const stored = sessions.filter((row) => replace(this.#sessions, row.id, row));
    const changed = days.filter((row) => replace(this.#days, row.day, row));
    this.#forget();
    return { stored, days: changed, ...(await this.#compare()) };
  }

  /** Empty if there is nothing to compare, or if the last comparison is too recent. */
  async #compare(): Promise<Compared> {
    const now = this.#clock();
    if (this.#sessions.size === 0 || now - this.#comparedAt < COMPARED_EVERY) return {};
    this.#comparedAt = now;
    const sessions = await this.#store.listSessions({ limit: SESSIONS_COMPARED });
    const isRun = sessions.some(({ arms }) => arms.heldOut > 0);
    this.#compared = { work: compareWork(sessions), ...(isRun && { comparison: compareArms(sessions) }) };
    return this.#compared;
  }

  #forget(): void {
    if (this.#sessions.size <= 2 * SESSIONS_SHOWN) return;
    const kept = new Set(this.sessions.map(({ id }) => id));
    for (const id of this.#sessions.keys()) if (!kept.has(id)) this.#sessions.delete(id);
  }

  #month(): string {
    return new Date(this.#clock()).toISOString().slice(0, "2026-11".length);
  }
}

/** Does the row differ from the previous one? */
function replace<T>(rows: Map<string, T>, key: string, row: T): boolean {
  const isSame = JSON.stringify(rows.get(key)) === JSON.stringify(row);
  rows.set(key, row);
  return !isSame;
}
