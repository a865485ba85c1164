import type { Day } from "./calendar.ts";
import type { Spending } from "./session-analysis.ts";

/** The prices for the text of a request. */
export interface TokenPrices {
  /** Dollars for a token that was sent before, and for a new one. */
  readonly old: number;
  readonly fresh: number;
  /** Provider tokens per estimated token. */
  readonly scale: number;
}

interface Carrying {
  /** Tokens in the context at the last request, and those added since. */
  carried: number;
  fresh: number;
}

type Sum = { -readonly [K in keyof Spending]: Spending[K] };

/** The cost of requests by name and day. Each request takes time per name, not per part of its history. */
export class CostByName {
  readonly #names = new Map<string, Carrying>();
  readonly #days = new Map<Day | undefined, Map<string, Sum>>();

  /** Starts a new history. */
  open(): void {
    for (const each of this.#names.values()) each.carried = each.fresh = 0;
  }

  /** Adds text that is new since the last request. `isNew`: a compaction did not carry it over. */
  put(name: string, tokens: number, isNew: boolean, day: Day | undefined, scale: number): void {
    const each = this.#names.get(name) ?? { carried: 0, fresh: 0 };
    this.#names.set(name, each);
    each.fresh += tokens;
    if (isNew) this.#at(day, name).size += tokens * scale;
  }

  /** Pays for a request with everything in the current history. */
  pay(day: Day | undefined, { old, fresh, scale }: TokenPrices): void {
    for (const [name, each] of this.#names) {
      if (each.carried + each.fresh === 0) continue;
      const sum = this.#at(day, name);
      sum.dollars += (each.carried * old + each.fresh * fresh) * scale;
      each.carried += each.fresh;
      each.fresh = 0;
      sum.tokens += each.carried * scale;
    }
  }

  /** Adds a cost outside the history. `isNew`: it was not in the previous request. */
  add(day: Day | undefined, name: string, tokens: number, dollars: number, isNew: boolean = true): void {
    const sum = this.#at(day, name);
    if (isNew) sum.size += tokens;
    sum.tokens += tokens;
    sum.dollars += dollars;
  }

  list(day: Day | undefined): readonly Spending[] {
    return [...(this.#days.get(day)?.values() ?? [])].map(({ name, size, tokens, dollars }) => ({
      name,
      size: Math.round(size),
      tokens: Math.round(tokens),
      dollars,
    }));
  }

  #at(day: Day | undefined, name: string): Sum {
    const names = this.#days.get(day) ?? new Map<string, Sum>();
    this.#days.set(day, names);
    const sum = names.get(name) ?? { name, size: 0, tokens: 0, dollars: 0 };
    names.set(name, sum);
    return sum;
  }
}
