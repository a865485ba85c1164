import type { Facts } from "../facts/facts.ts";
import type { CachePrices } from "../models/profile.ts";
import { MOST_FETCHED, priceFetched } from "../risk/fetch-price.ts";
import { kindOfText, type TextKind } from "../risk/need-table.ts";
import { chanceOf, expectNeed, type PricedRisk, type Risk } from "../risk/risk.ts";
import type { Waiting } from "./waiting.ts";

/** What may have to be fetched again. */
export type AtRisk = Pick<Waiting, "at" | "saves" | "author" | "risk">;

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
 * The chance that what a cut takes out is needed again, and what that would cost on average: one more request with the
 * same view, and the text. `undefined` where nothing speaks for it.
 */
export function priceRisk(cut: AtRisk, weights: RiskWeights): PricedRisk | undefined {
  const { risk } = cut;
  const regret = weights.regretOf(cut);
  if (!risk && regret === 0) return undefined;
  const chance = chanceFor(risk, regret, weights);
  return {
    chance,
    price: priceFor(cut, regret, weights),
    ...(risk && { kind: risk.kind, tokens: risk.tokens, age: weights.step - risk.step }),
    ...(regret > 0 && { regret }),
  };
}

/** The price alone: it is asked of all that waits, at every boundary. */
export function findRiskPrice(cut: AtRisk, weights: RiskWeights): number | undefined {
  const regret = weights.regretOf(cut);
  if (!cut.risk && regret === 0) return undefined;
  return priceFor(cut, regret, weights);
}

function chanceFor(risk: Risk | undefined, regret: number, { step }: RiskWeights): number {
  return 1 - (risk ? 1 - chanceOf(risk, step - risk.step) : 1) * (1 - regret);
}

function priceFor({ risk, saves }: AtRisk, regret: number, { prices, lastRequest, step }: RiskWeights): number {
  const { names, edits } = risk ? expectNeed(risk, step - risk.step) : { names: 0, edits: 0 };
  const tokens = risk?.tokens ?? saves;
  const request = prices.read * lastRequest;
  const seen = 1 - (1 - names) * (1 - regret);
  return (
    seen * KN * (request + priceFetched(Math.min(tokens, MOST_FETCHED), prices)) +
    edits * K * (request + priceFetched(Math.min(tokens, Number(process.env.CAP ?? 1e9)), prices))
  );
}
const K = Number(process.env.K ?? 10);
const KN = Number(process.env.KN ?? 1);

/** As it is kept with the edit. */
export function roundRisk(risk: PricedRisk): PricedRisk {
  const { chance, price, regret } = risk;
  return {
    ...risk,
    chance: Math.round(chance * 1_000) / 1_000,
    price: Math.round(price),
    ...(regret !== undefined && { regret: Math.round(regret * 1_000) / 1_000 }),
  };
}

/** What a part shows: for a result that of its call. */
export function kindAt({ calls }: Facts, part: number): TextKind | "said" {
  const fact = calls.of(part);
  return fact?.result === part ? kindOfText(fact.use) : "said";
}
