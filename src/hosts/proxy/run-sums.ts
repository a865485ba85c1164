import { isCounted, isCut, measureDollars, measureTokens, profileOf } from "./measure-request.ts";
import type { Service } from "./service.ts";

/** Totals of a proxy since it was started. */
export interface RunSums {
  /** Requests to models that were read. */
  readonly requests: number;
  /** Requests that were answered: only they cost anything, and all figures below are theirs. */
  readonly answered: number;
  /** Requests that were passed on without reading them: other paths, or unreadable bodies. */
  readonly passed: number;
  readonly tokensWith: number;
  readonly tokensWithout: number;
  /** How many of them are in `paid` and `without`: the others had no usage in their answers, or no price. */
  readonly priced: number;
  /** Their cost from the usage in their answers, and their cost without Coppice; in USD. */
  readonly paid: number;
  readonly without: number;
  readonly cuts: number;
  /** Models without a price. */
  readonly unpriced: readonly string[];
}

/** Adds up the proxy's requests in memory. */
export function runSums(): { readonly service: Service; read(): RunSums } {
  const sums = {
    requests: 0,
    answered: 0,
    passed: 0,
    tokensWith: 0,
    tokensWithout: 0,
    priced: 0,
    paid: 0,
    without: 0,
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
        const { id, dollarsPerMillion } = profileOf(sent, answered);
        if (dollarsPerMillion === undefined && id !== "") unpriced.add(id);
        return;
      }
      sums.priced++;
      sums.paid += dollars.with;
      sums.without += dollars.without;
    },
  };
  return { service, read: () => ({ ...sums, unpriced: [...unpriced] }) };
}
