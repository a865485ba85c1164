import { isCounted, isCut, measureDollars, measureTokens } from "./measure-request.ts";
import type { Service } from "./service.ts";

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
  /** Of their input, in USD. */
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
    sent(sent) {
      if (isCounted(sent)) sums.requests++;
    },
    passed: () => {
      sums.passed++;
    },
    answered(sent, answered) {
      if (!answered.answer || !isCounted(sent)) return;
      const tokens = measureTokens(sent, answered);
      const dollars = measureDollars(sent, answered);
      sums.answered++;
      sums.tokensWith += tokens.with;
      sums.tokensWithout += tokens.without;
      sums.cuts += isCut(sent, answered) ? 1 : 0;
      if (!dollars) {
        const model = answered.answer.model ?? sent.request.model;
        if (model !== undefined) unpriced.add(model);
        return;
      }
      sums.priced++;
      sums.costWith += dollars.with;
      sums.costWithout += dollars.without;
    },
  };
  return { service, read: () => ({ ...sums, unpriced: [...unpriced] }) };
}
