import type { PricedPlan } from "../edits/cut-plan.ts";
import type { WorkState } from "../facts/task-files.ts";
import type { Now } from "./now.ts";
import { findLeastPrice, findRiskPrice, type RiskWeights } from "./price-risk.ts";

export const SCHEDULE_MODES = ["rent-or-buy", "eager", "pressure"] as const;
export type ScheduleMode = (typeof SCHEDULE_MODES)[number];

/** Why plans were cut with this request and not later. */
export type CutReason =
  | "never-sent"
  | "rent-paid"
  | "cold-cache"
  | "no-cache"
  | "pressure"
  | "requested"
  | "eager";

/** The fields that decide when a waiting plan is due. */
export type Claim = Pick<PricedPlan, "part" | "price" | "requested" | "timing" | "rides" | "author" | "risk">;

/** The inputs for weighing rent against price. */
export interface Weights extends Pick<Now, "prices" | "cached" | "unsentFrom">, RiskWeights {
  readonly mode: ScheduleMode;
  /** The most that a cut may lose now, in tokens of plain input. */
  readonly allowance: number;
  /** Shown tokens by part. */
  readonly shown: readonly number[];
  /** The sum of the cache read prices of all requests so far. */
  readonly rentClock: number;
  /** The share of cuts after which the provider's cache had also lost the text before the cut. */
  readonly missShare: number;
  /** The most that a requested cut may cost without waiting, in tokens of plain input. */
  readonly requestedLimit: number;
}

export interface CutPoint {
  /** Every claim at or after this part is due. */
  readonly from: number;
  readonly reason: CutReason;
}

/**
 * The number of further requests that a session is assumed to have. Usually the text after a claim grows faster than
 * its rent, so a cut near the end of the context must be made early, while it is cheap.
 */
const FORESEEN_REQUESTS = 4;

/**
 * The number of further requests over which a cut's savings are weighed against its risk: for this long its text may
 * be needed again.
 */
const LONG_RUN = 80;

/** The rent of a claim: paid so far, and expected. */
function rentOf({ price: { saves, since } }: Claim, { rentClock, prices }: Weights): number {
  return saves * (rentClock + FORESEEN_REQUESTS * prices.read - since);
}

/**
 * The share of its rent that a claim is worth in the long run: all of it, minus the expected cost if its text is
 * needed again.
 */
function worthOf(claim: Claim, weights: Weights, price = findRiskPrice(claim, weights)): number {
  if (price === undefined) return 1;
  const { saves, since } = claim.price;
  const rent = saves * (weights.rentClock + LONG_RUN * weights.prices.read - since);
  return 1 - price / rent;
}

/**
 * The claims whose rent, paid and expected, covers the expected cost if their text is needed again. The others wait,
 * even if a cut is made before them: the longer they wait, the less likely their text is needed. In other modes,
 * where money does not count, only views wait: until they are old, and the task neither names nor changes their
 * files.
 */
export function listReady<C extends Claim>(claims: readonly C[], weights: Weights): readonly C[] {
  const isReady =
    weights.mode === "rent-or-buy"
      ? (claim: C) => mayBeWorth(claim, weights) && worthOf(claim, weights) > 0
      : ({ risk }: C) => !risk?.work || isQuiet(risk.work(), weights.step - risk.step);
  return claims.filter((claim) => claim.requested || isReady(claim));
}

/** False for most waiting claims, without a look at the state of the work. */
function mayBeWorth(claim: Claim, weights: Weights): boolean {
  const least = findLeastPrice(claim, weights);
  return least === undefined || worthOf(claim, weights, least) > 0;
}

/** Steps after which a view is old. */
const OLD_VIEW = 30;

function isQuiet(work: WorkState, age: number): boolean {
  return age >= OLD_VIEW && work !== "planned" && work !== "changing";
}

/**
 * Decides where to cut now, if anywhere. Cuts under pressure are not decided here.
 *
 *   rent of the claims at or after p, paid and expected, minus the expected cost if their texts are needed again
 *     >=  (w - r) * tokens that are no longer read, and the loss is within the allowance   ->   cut at the earliest such p
 *
 * If the provider lost the whole cache after earlier cuts, the tokens before p count in proportion.
 */
export function chooseCut(claims: readonly Claim[], weights: Weights): CutPoint | undefined {
  if (claims.length === 0) return undefined;
  if (weights.mode === "pressure") return undefined;
  if (weights.mode === "eager") return { from: 0, reason: "eager" };
  const { blocks } = weights.cached;
  if (blocks === 0) return { from: 0, reason: "cold-cache" };
  if (weights.prices.write === weights.prices.read) return { from: 0, reason: "no-cache" };
  const bought = chooseBought(claims, weights);
  if (bought) return bought;
  if (!claims.some(({ part }) => part >= blocks)) return undefined;
  return { from: blocks, reason: blocks < weights.unsentFrom ? "cold-cache" : "never-sent" };
}

function chooseBought(claims: readonly Claim[], weights: Weights): CutPoint | undefined {
  const fromEnd = claims.filter(({ rides }) => !rides).toSorted((a, b) => b.part - a.part);
  const { read, write } = weights.prices;
  const { blocks, tokens, entries } = weights.cached;
  let point: CutPoint | undefined;
  let follows = 0;
  let rent = 0;
  let saves = 0;
  let next = blocks - 1;
  let left = entries?.length ?? 0;
  for (const claim of fromEnd) {
    if (claim.part >= blocks) continue;
    if (entries) while ((entries[left - 1]?.blocks ?? 0) > claim.part) left--;
    else while (next >= claim.part) follows += weights.shown[next--] ?? 0;
    saves += claim.price.saves;
    rent += rentOf(claim, weights) * worthOf(claim, weights);
    const lost = entries ? tokens - (entries[left - 1]?.tokens ?? 0) : follows;
    const rewritten = Math.max(0, lost - saves);
    const cost =
      (write - read) * (rewritten + weights.missShare * Math.max(0, weights.lastRequest - rewritten));
    // This request is already smaller.
    const loss = cost - read * saves;
    if (opensCut(claim, cost, weights)) point = { from: claim.part, reason: "requested" };
    else if (rent >= cost && loss <= weights.allowance) point = { from: claim.part, reason: "rent-paid" };
  }
  return point;
}

/**
 * A requested cut is made at the time that the agent was promised. Without a promise it is made at once if that is
 * cheap.
 */
function opensCut({ requested, timing }: Claim, cost: number, { requestedLimit }: Weights): boolean {
  return timing === undefined ? requested === true && cost <= requestedLimit : timing === "now";
}
