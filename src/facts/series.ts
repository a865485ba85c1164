import type { Journal } from "../transcript/journal.ts";
import type { CallFact } from "./calls.ts";
import { countUpTo } from "./sorted.ts";

/** Calls that answer the same question, in order: the same input, the same url, the same state query, the todo list. */
export class Series {
  readonly #calls = new Map<string, CallFact[]>();
  readonly #journal: Journal;
  readonly #keyOf: (fact: CallFact) => string | undefined;

  /** `keyOf` names the question, or gives `undefined` for a call that asks none of this kind. */
  constructor(journal: Journal, keyOf: (fact: CallFact) => string | undefined) {
    this.#journal = journal;
    this.#keyOf = keyOf;
  }

  ingest(completed: readonly CallFact[]): void {
    for (const fact of completed) {
      const key = this.#keyOf(fact);
      if (key === undefined) continue;
      const series = this.#calls.get(key);
      if (series) this.#journal.push(series, fact);
      else this.#journal.set(this.#calls, key, [fact]);
    }
  }

  /**
   * The calls that this one makes stale: earlier steps' calls with the same question, back to the last one that
   * succeeded (what is older was made stale by that one). A failed call makes only failed ones stale, and so only those
   * since the last one of any kind.
   */
  supersededBy(fact: CallFact): readonly CallFact[] {
    const key = this.#keyOf(fact);
    const series = key === undefined ? [] : (this.#calls.get(key) ?? []);
    const stale: CallFact[] = [];
    let settled: number | undefined;
    for (let i = countUpTo(series, fact.result, resultOf) - 2; i >= 0; i--) {
      const earlier = series[i] as CallFact;
      if (settled !== undefined && earlier.step < settled) break;
      if (earlier.step >= fact.step) continue;
      if (earlier.ok || !fact.ok) settled = earlier.step;
      if (fact.ok || !earlier.ok) stale.push(earlier);
    }
    return stale;
  }
}

/** Calls are taken in as their results come. */
function resultOf({ result }: CallFact): number {
  return result;
}
