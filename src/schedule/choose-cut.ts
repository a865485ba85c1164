import type { Now } from "./now.ts";
import type { Waiting } from "./waiting.ts";

export const SCHEDULE_MODES = ["rent-or-buy", "eager", "pressure"] as const;
export type ScheduleMode = (typeof SCHEDULE_MODES)[number];

/** Why proposals were cut at this boundary and not later. */
export type CutReason =
  | "never-sent"
  | "rent-paid"
  | "cold-cache"
  | "no-cache"
  | "pressure"
  | "asked"
  | "eager";

/** What decides when a waiting proposal is due. */
export type Claim = Pick<Waiting, "at" | "saves" | "since" | "asked" | "told">;

/** What rent and price are weighed by. */
export interface Weights extends Pick<Now, "prices" | "cold" | "unsentFrom"> {
  readonly mode: ScheduleMode;
  /** What a cut may cost now, in tokens of plain input: no more is ever put at risk. */
  readonly allowance: number;
  /** Tokens per part as shown. */
  readonly shown: readonly number[];
  /** The sum of r over all requests so far. */
  readonly rentClock: number;
  /** What a cut that was asked for may cost without waiting, in tokens of plain input. */
  readonly askedLimit: number;
}

export interface CutPoint {
  /** Every claim at or after this part is due. */
  readonly from: number;
  readonly reason: CutReason;
}

/**
 * How many more requests a session is assumed to have. Usually the text behind a claim grows faster than its rent, so a
 * cut near the end of the context has to be made early, while it is cheap.
 */
const FORESEEN_REQUESTS = 4;

/**
 * Where to cut now, if anywhere. Cuts under pressure are not decided here.
 *
 *   rent of the claims at or after p, paid and foreseen  >=  (w - r) * cached tokens that follow p
 *   and no more than the allowance                                      ->   cut at the earliest such p
 */
export function chooseCut(claims: readonly Claim[], weights: Weights): CutPoint | undefined {
  if (claims.length === 0) return undefined;
  if (weights.mode === "pressure") return undefined;
  if (weights.mode === "eager") return { from: 0, reason: "eager" };
  if (weights.cold) return { from: 0, reason: "cold-cache" };
  if (weights.prices.write === weights.prices.read) return { from: 0, reason: "no-cache" };
  const bought = chooseBought(claims, weights);
  if (bought) return bought;
  const unsent = claims.some(({ at }) => at >= weights.unsentFrom);
  return unsent ? { from: weights.unsentFrom, reason: "never-sent" } : undefined;
}

function chooseBought(claims: readonly Claim[], weights: Weights): CutPoint | undefined {
  const fromEnd = claims.toSorted((a, b) => b.at - a.at);
  const price = weights.prices.write - weights.prices.read;
  const clock = weights.rentClock + FORESEEN_REQUESTS * weights.prices.read;
  let point: CutPoint | undefined;
  let follows = 0;
  let rent = 0;
  let next = weights.unsentFrom - 1;
  for (const claim of fromEnd) {
    if (claim.at >= weights.unsentFrom) continue;
    while (next >= claim.at) follows += weights.shown[next--] ?? 0;
    follows -= claim.saves;
    rent += claim.saves * (clock - claim.since);
    const cost = price * Math.max(0, follows);
    if (opensCut(claim, cost, weights)) point = { from: claim.at, reason: "asked" };
    else if (rent >= cost && cost <= weights.allowance) point = { from: claim.at, reason: "rent-paid" };
  }
  return point;
}

/** What was asked for goes when the agent was told so; where nobody knows what it was told, at once if that is cheap. */
function opensCut({ asked, told }: Claim, cost: number, { askedLimit }: Weights): boolean {
  return told === undefined ? asked && cost <= askedLimit : told === "now";
}
