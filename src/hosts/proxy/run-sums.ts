import type { Service } from "./service.ts";
import { sumsOf } from "./store-sums.ts";

/** What went through a proxy since it was started. */
export interface RunSums {
  /** Requests to models that were read. */
  readonly requests: number;
  /** Those that were answered: only they cost anything, and all below is theirs. */
  readonly answered: number;
  /** Requests that went by unread: other paths, or bodies that can't be read. */
  readonly passed: number;
  readonly tokensWith: number;
  readonly tokensWithout: number;
  /** How many the costs are of: the others had no price. */
  readonly priced: number;
  /** In USD. */
  readonly costWith: number;
  readonly costWithout: number;
  readonly cuts: number;
  /** Models without a price. */
  readonly unpriced: readonly string[];
}

/** Adds up in memory what goes through. */
export function runSums(): { readonly service: Service; read(): RunSums } {
  const sums = {
    requests: 0,
    answered: 0,
    passed: 0,
    tokensWith: 0,
    tokensWithout: 0,
    priced: 0,
    costWith: 0,
    costWithout: 0,
    cuts: 0,
  };
  const unpriced = new Set<string>();
  const service: Service = {
    sent: () => {
      sums.requests++;
    },
    passed: () => {
      sums.passed++;
    },
    answered(sent, answered) {
      if (!answered.answer) return;
      const { tokensWith, tokensWithout, costWith, costWithout, cuts, model } = sumsOf(sent, answered);
      sums.answered++;
      sums.tokensWith += tokensWith;
      sums.tokensWithout += tokensWithout;
      sums.cuts += cuts;
      if (costWith === undefined || costWithout === undefined) {
        if (model !== undefined) unpriced.add(model);
        return;
      }
      sums.priced++;
      sums.costWith += costWith;
      sums.costWithout += costWithout;
    },
  };
  return { service, read: () => ({ ...sums, unpriced: [...unpriced] }) };
}
