import type { ModelProfile } from "../models/profile.ts";
import {
  type Amounts,
  type AsideToBook,
  type BookEntry,
  bookAside,
  bookRequest,
  dollarsPerToken,
  type RequestToBook,
} from "./book-entry.ts";

/** The payments in US dollars: in total, for input and for output. */
export interface Paid extends Amounts {
  readonly dollars: number;
  /** How much of `dollars` is estimated. 0: all of it was recorded. */
  readonly estimated: number;
  readonly requests: number;
}

/** The remaining cost of a session under a policy. Output and asides stay the same. */
export interface Left {
  /** The whole bill in US dollars. */
  readonly dollars: number;
  readonly saved: number;
  /** The remaining share of the whole bill, and of input alone; 1 is all. */
  readonly share: number;
  readonly inputShare: number;
}

/** The cost of one request with its answer, and its remaining cost under a policy. In US dollars. */
export interface RequestLeft {
  readonly paid: number;
  readonly left: number;
}

/** Everything that was paid for in a session. */
export interface Book {
  /** The session's own requests in order, then other paid requests. */
  readonly entries: readonly BookEntry[];
  /** Leaves out models whose price is not known. */
  readonly paid: Paid;
  /** By model, the most expensive first. */
  readonly models: readonly (Paid & { readonly model: string })[];
  /** Models whose price is not known: their requests are in the shares, but not in the dollars. */
  readonly unpriced: readonly string[];
  /** Models whose cache prices are assumed: their input cost is an estimate. */
  readonly assumedCaches: readonly string[];
  /** `bills`: the bill of each of the session's requests under a policy, as in `modelled.bill`. */
  price(bills: readonly number[]): Left;
  /** The same for each request. */
  priceRequests(bills: readonly number[]): readonly RequestLeft[];
}

/**
 * The one record of money. Recorded amounts come first; missing ones are taken from the cost model, and marked.
 * Savings are the difference between two modelled bills, scaled for each model to the payments.
 *
 *   recorded $10 of input, modelled $8 without a policy and $6 with it   ->   saved: (8 − 6) × 10 / 8 = $2.50
 */
export function openBook(
  requests: readonly RequestToBook[],
  asides: readonly AsideToBook[],
  profileFor: (model: string | undefined) => ModelProfile,
): Book {
  const own = requests.map((request) => bookRequest(request, profileFor(request.model)));
  const entries = [...own, ...asides.map((aside) => bookAside(aside, profileFor(aside.model)))];
  const whole = addUp(entries);
  const paid = addUp(entries.filter(({ unpriced }) => !unpriced));
  const priceOf = requests.map(({ model }) => dollarsPerToken(profileFor(model)));
  const scaleOf = findScales(requests, own, priceOf);

  const listSaved = (bills: readonly number[]): readonly number[] =>
    requests.map(({ modelled }, i) => {
      const less = modelled.bill - (bills[i] ?? modelled.bill);
      return less * (priceOf[i] ?? 0) * (scaleOf[i] ?? 1);
    });

  return {
    entries,
    paid,
    models: listModels(entries),
    unpriced: listNames(entries.filter(({ unpriced }) => unpriced)),
    assumedCaches: listNames(entries.filter(({ isCacheAssumed }) => isCacheAssumed)),
    price(bills) {
      const saved = listSaved(bills);
      const all = saved.reduce((sum, each) => sum + each, 0);
      const priced = saved.reduce((sum, each, i) => sum + (own[i]?.unpriced ? 0 : each), 0);
      return {
        dollars: paid.dollars - priced,
        saved: priced,
        share: whole.dollars > 0 ? 1 - all / whole.dollars : 1,
        inputShare: whole.input > 0 ? 1 - all / whole.input : 1,
      };
    },
    priceRequests: (bills) =>
      listSaved(bills).map((saved, i) => {
        const paid = (own[i]?.input ?? 0) + (own[i]?.output ?? 0);
        return { paid, left: paid - saved };
      }),
  };
}

const NO_MODEL = "(none recorded)";

function listNames(entries: readonly BookEntry[]): readonly string[] {
  return [...new Set(entries.map(({ model }) => model ?? NO_MODEL))];
}

/** For each request, the ratio of its model's input payments to the cost model's figure. */
function findScales(
  requests: readonly RequestToBook[],
  own: readonly BookEntry[],
  priceOf: readonly number[],
): readonly number[] {
  const sums = new Map<string | undefined, { paid: number; modelled: number }>();
  for (const [i, { model, modelled }] of requests.entries()) {
    const sum = sums.get(model) ?? { paid: 0, modelled: 0 };
    sums.set(model, sum);
    sum.paid += own[i]?.input ?? 0;
    sum.modelled += modelled.bill * (priceOf[i] ?? 0);
  }
  return requests.map(({ model }) => {
    const { paid, modelled } = sums.get(model) ?? { paid: 0, modelled: 0 };
    return modelled > 0 ? paid / modelled : 1;
  });
}

function listModels(entries: readonly BookEntry[]): Book["models"] {
  const byModel = new Map<string, BookEntry[]>();
  for (const entry of entries) {
    if (entry.unpriced) continue;
    const model = entry.model ?? NO_MODEL;
    const others = byModel.get(model);
    if (others) others.push(entry);
    else byModel.set(model, [entry]);
  }
  return [...byModel]
    .map(([model, own]) => ({ model, ...addUp(own) }))
    .sort((a, b) => b.dollars - a.dollars || (a.model < b.model ? -1 : 1));
}

/** Adds up several sessions. */
export function addUpPaid(sessions: readonly Paid[]): Paid {
  const add = (pick: (paid: Paid) => number) => sessions.reduce((sum, paid) => sum + pick(paid), 0);
  return {
    dollars: add(({ dollars }) => dollars),
    input: add(({ input }) => input),
    output: add(({ output }) => output),
    estimated: add(({ estimated }) => estimated),
    requests: add(({ requests }) => requests),
  };
}

function addUp(entries: readonly BookEntry[]): Paid {
  const paid = { dollars: 0, input: 0, output: 0, estimated: 0, requests: entries.length };
  for (const { input, output, estimated } of entries) {
    paid.input += input;
    paid.output += output;
    paid.estimated += (estimated.input ? input : 0) + (estimated.output ? output : 0);
  }
  return { ...paid, dollars: paid.input + paid.output };
}
