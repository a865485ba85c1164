import type { CachePrices } from "../models/profile.ts";
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

/** What `chooseCut` has to know of a boundary. */
export interface Moment {
  readonly mode: ScheduleMode;
  readonly prices: CachePrices;
  readonly cold: boolean;
  /** What a cut for paid rent may cost now at most, in tokens of plain input. */
  readonly allowance: number;
  /** Tokens per part as shown. */
  readonly shown: readonly number[];
  /** The first part that was never sent. */
  readonly unsentFrom: number;
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
export function chooseCut(claims: readonly Claim[], moment: Moment): CutPoint | undefined {
  if (claims.length === 0) return undefined;
  if (moment.mode === "pressure") return undefined;
  if (moment.mode === "eager") return { from: 0, reason: "eager" };
  if (moment.cold) return { from: 0, reason: "cold-cache" };
  if (moment.prices.write === moment.prices.read) return { from: 0, reason: "no-cache" };
  const bought = chooseBought(claims, moment);
  if (bought) return bought;
  const unsent = claims.some(({ at }) => at >= moment.unsentFrom);
  return unsent ? { from: moment.unsentFrom, reason: "never-sent" } : undefined;
}

function chooseBought(claims: readonly Claim[], moment: Moment): CutPoint | undefined {
  const fromEnd = claims.toSorted((a, b) => b.at - a.at);
  const price = moment.prices.write - moment.prices.read;
  const clock = moment.rentClock + FORESEEN_REQUESTS * moment.prices.read;
  let point: CutPoint | undefined;
  let follows = 0;
  let rent = 0;
  let next = moment.unsentFrom - 1;
  for (const claim of fromEnd) {
    if (claim.at >= moment.unsentFrom) continue;
    while (next >= claim.at) follows += moment.shown[next--] ?? 0;
    follows -= claim.saves;
    rent += claim.saves * (clock - claim.since);
    const cost = price * Math.max(0, follows);
    if (opensCut(claim, cost, moment)) point = { from: claim.at, reason: "asked" };
    else if (rent >= cost && cost <= moment.allowance) point = { from: claim.at, reason: "rent-paid" };
  }
  return point;
}

/** Is it to be cut now because it was asked for: as the agent was told, or, where that is not known, if it is cheap? */
function opensCut({ asked, told }: Claim, cost: number, { askedLimit }: Moment): boolean {
  return told === undefined ? asked && cost <= askedLimit : told === "now";
}
