import type { UndoLog } from "../transcript/undo-log.ts";
import type { CallFact } from "./calls.ts";
import { countUpTo } from "./sorted.ts";

/** A call in its series. */
interface Entry {
  readonly fact: CallFact;
  /** The index of the last call of an earlier step. */
  readonly earlier: number;
  /** Did it succeed, or one before it in the same step? */
  readonly succeeded: boolean;
  /** A call before it in the same step has already made stale everything that this one would. */
  readonly isSecond: boolean;
}

/**
 * Calls that answer the same question, in order: the same input, the same url, the same state query, the todo list.
 */
export class Series {
  readonly #calls = new Map<string, Entry[]>();
  readonly #undoLog: UndoLog;
  readonly #keyOf: (fact: CallFact) => string | undefined;
  /** The questions of the newest calls, which queries are about. */
  readonly #newest = new Map<CallFact, string | undefined>();

  /** `keyOf` names the question, or returns `undefined` for a call that asks none of this kind. */
  constructor(undoLog: UndoLog, keyOf: (fact: CallFact) => string | undefined) {
    this.#undoLog = undoLog;
    this.#keyOf = keyOf;
  }

  ingest(completed: readonly CallFact[]): void {
    this.#newest.clear();
    for (const fact of completed) {
      const key = this.#keyOf(fact);
      this.#newest.set(fact, key);
      if (key === undefined) continue;
      const series = this.#calls.get(key);
      if (series) this.#undoLog.push(series, follow(series, fact));
      else this.#undoLog.set(this.#calls, key, [follow([], fact)]);
    }
  }

  /**
   * The calls that this one makes stale: calls of earlier steps with the same question, back to the last one that
   * succeeded (which made the older ones stale). A failed call makes only failed calls stale, those of the last
   * step with this question. If one step has several calls, only the first one, and the first that succeeded, make
   * anything stale.
   */
  supersededBy(fact: CallFact): readonly CallFact[] {
    const key = this.#newest.has(fact) ? this.#newest.get(fact) : this.#keyOf(fact);
    const series = key === undefined ? [] : (this.#calls.get(key) ?? []);
    const own = series[countUpTo(series, fact.result, resultOf) - 1];
    const stale: CallFact[] = [];
    let settled: number | undefined;
    for (let i = own && !own.isSecond ? own.earlier : -1; i >= 0; i--) {
      const { fact: earlier } = series[i] as Entry;
      if (settled !== undefined && earlier.step < settled) break;
      if (earlier.step >= fact.step) continue;
      if (earlier.ok || !fact.ok) settled = earlier.step;
      if (fact.ok || !earlier.ok) stale.push(earlier);
    }
    return stale;
  }
}

function follow(series: readonly Entry[], fact: CallFact): Entry {
  const last = series.at(-1);
  if (last?.fact.step !== fact.step)
    return { fact, earlier: series.length - 1, succeeded: fact.ok, isSecond: false };
  const { earlier, succeeded } = last;
  return { fact, earlier, succeeded: fact.ok || succeeded, isSecond: succeeded || !fact.ok };
}

/** A series is in the order of results. */
function resultOf({ fact }: Entry): number {
  return fact.result;
}
