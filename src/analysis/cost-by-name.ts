import type { Day } from "./calendar.ts";
import type { Spending } from "./session-analysis.ts";

/** What a request cost, for the text that it carried. */
export interface TokenPrices {
  /** Dollars for a token that was sent before, and for one that is new. */
  readonly old: number;
  readonly fresh: number;
  /** Tokens that the provider counts for one of our estimate. */
  readonly scale: number;
}

interface Carrying {
  /** Tokens in the context at the last request, and those added since. */
  carried: number;
  fresh: number;
}

type Sum = { -readonly [K in keyof Spending]: Spending[K] };

/** What requests cost by name, day by day: a request takes time for each name, not for each part of its history. */
export class CostByName {
  readonly #names = new Map<string, Carrying>();
  readonly #days = new Map<Day | undefined, Map<string, Sum>>();

  /** A new history begins. */
  open(): void {
    for (const each of this.#names.values()) each.carried = each.fresh = 0;
  }

  /** Text that is new since the last request. `isNew`: it was not brought along by a compaction. */
  put(name: string, tokens: number, isNew: boolean, day: Day | undefined, scale: number): void {
    const each = this.#names.get(name) ?? { carried: 0, fresh: 0 };
    this.#names.set(name, each);
    each.fresh += tokens;
    if (isNew) this.#at(day, name).size += tokens * scale;
  }

  /** A request with all that is there now. */
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

  /** Something that is not part of the history. `isNew`: it was not in the request before. */
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
