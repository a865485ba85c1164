import type { PricedPlan } from "../edits/cut-plan.ts";
import type { Facts } from "../facts/facts.ts";
import type { CachePrices } from "../models/profile.ts";
import { MOST_FETCHED, priceFetched, SEARCH_WEIGHT, VIEW_WEIGHT } from "../risk/fetch-price.ts";
import { kindOfText, type TextKind } from "../risk/need-table.ts";
import { expectNeed, LEAST_WORTH, type Need, type PricedRisk, worthOf } from "../risk/risk.ts";

/** A cut whose text may have to be fetched again. */
export type AtRisk = Pick<PricedPlan, "part" | "author" | "risk" | "price">;

export interface RiskWeights {
  readonly prices: CachePrices;
  /** The newest step. */
  readonly step: number;
  /** Tokens of the last request. */
  readonly lastRequest: number;
  /** The share of such cuts that the agent has fetched again in this session. */
  readonly regretOf: (cut: AtRisk) => number;
}

/**
 * The chance that the text of a cut is needed again, and the average cost of that: one more request with the same
 * view, and the text. `undefined` if nothing suggests such a need.
 */
export function priceRisk(cut: AtRisk, weights: RiskWeights): PricedRisk | undefined {
  const { risk } = cut;
  const regret = weights.regretOf(cut);
  if (!risk && regret === 0) return undefined;
  const work = risk?.work?.();
  const age = risk ? weights.step - risk.step : 0;
  const need = risk ? expectNeed(risk, age, worthOf(work)) : NO_NEED;
  // No spreads: this runs for every waiting plan of every request, and spreads would take most of the time.
  const priced: { -readonly [K in keyof PricedRisk]: PricedRisk[K] } = {
    chance: 1 - (1 - need.names) * (1 - need.edits) * (1 - regret),
    price: priceFor(cut, need, regret, weights),
  };
  if (risk) {
    priced.kind = risk.kind;
    priced.tokens = risk.tokens;
    priced.age = age;
  }
  if (work) priced.work = work;
  if (regret > 0) priced.regret = regret;
  return priced;
}

/** Only the price. */
export function findRiskPrice(cut: AtRisk, weights: RiskWeights): number | undefined {
  const { risk } = cut;
  const regret = weights.regretOf(cut);
  if (!risk) return regret === 0 ? undefined : priceFor(cut, NO_NEED, regret, weights);
  return priceFor(cut, expectNeed(risk, weights.step - risk.step, worthOf(risk.work?.())), regret, weights);
}

/**
 * The lowest possible price, whatever the state of the work; only for views. It is quick enough for all waiting
 * plans.
 */
export function findLeastPrice(cut: AtRisk, weights: RiskWeights): number | undefined {
  const { risk } = cut;
  if (!risk?.work) return undefined;
  return priceFor(cut, expectNeed(risk, weights.step - risk.step, LEAST_WORTH), 0, weights);
}

/**
 * The price of one more request with the same view, and of the text. A line of a file that is missing when it is
 * edited costs more: the agent may edit from memory and fail, and then it reads the whole file again.
 */
function priceFor(cut: AtRisk, need: Need, regret: number, { prices, lastRequest }: RiskWeights): number {
  const { risk } = cut;
  const tokens = risk?.tokens ?? cut.price.saves;
  const request = prices.read * lastRequest;
  const fetched = request + priceFetched(Math.min(tokens, MOST_FETCHED), prices);
  const { names, edits } = need;
  const needed = 1 - (1 - names) * (1 - regret);
  const weight = risk?.work ? VIEW_WEIGHT : risk?.kind === "search" ? SEARCH_WEIGHT : undefined;
  if (weight === undefined) return (1 - (1 - needed) * (1 - edits)) * fetched;
  const edited = 1 - (1 - edits) * (1 - regret);
  return needed * fetched + weight * edited * (request + priceFetched(tokens, prices));
}

const NO_NEED: Need = { names: 0, edits: 0 };

/** The form that is stored with the edit. */
export function roundRisk(risk: PricedRisk): PricedRisk {
  const { chance, price, regret } = risk;
  return {
    ...risk,
    chance: Math.round(chance * 1_000) / 1_000,
    price: Math.round(price),
    ...(regret !== undefined && { regret: Math.round(regret * 1_000) / 1_000 }),
  };
}

/** The kind of a part's text. A result has the kind of its call. */
export function kindAt({ calls }: Facts, part: number): TextKind | "said" {
  const fact = calls.of(part);
  return fact?.result === part ? kindOfText(fact.use) : "said";
}
