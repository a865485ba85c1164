import type { ModelProfile } from "../models/profile.ts";
import type { SessionUse } from "./session-use.ts";

/** The monthly cost of a prefix token, at the user's own rate of requests. */
export interface PrefixRate {
  /** Requests a month. */
  readonly requests: number;
  /** Dollars a month for one token, as the provider counts it; `undefined`: no price is known. */
  readonly dollarsPerToken?: number;
  /** Days over which the rate was measured. */
  readonly days: number;
  /** For some requests, the cache hit is assumed, or the model has no price. */
  readonly isEstimate: boolean;
}

const MONTH = 30;
const DAY = 86_400_000;

/**
 * The rate of the last 30 days, or of fewer if the recordings cover fewer, but at least of a week, because a day's
 * work is not typical of a month. `undefined` if no request has a time.
 */
export function measureRate(
  sessions: readonly SessionUse[],
  now: number,
  profileFor: (model: string | undefined) => ModelProfile,
): PrefixRate | undefined {
  const today = Math.floor(now / DAY);
  const recent = sessions
    .flatMap(({ requests }) => requests)
    .filter(({ day }) => day !== undefined && day > today - MONTH && day <= today);
  if (recent.length === 0) return undefined;
  const first = recent.reduce((least, { day }) => Math.min(least, day ?? today), today);
  const days = Math.max(7, today - first + 1);
  let [count, dollars, priced, assumedCount] = [0, 0, 0, 0];
  for (const { model, warm, cold, assumedCount: some } of recent) {
    const { dollarsPerMillion, cache } = profileFor(model);
    count += warm + cold;
    assumedCount += some;
    if (dollarsPerMillion === undefined) continue;
    priced += warm + cold;
    dollars += (dollarsPerMillion / 1_000_000) * (warm * cache.read + cold * cache.write);
  }
  // Requests without a price are assumed to cost as much as the others.
  const all = priced === 0 ? undefined : (dollars * count) / priced;
  return {
    requests: Math.round((count * MONTH) / days),
    ...(all !== undefined && { dollarsPerToken: (all * MONTH) / days }),
    days,
    isEstimate: assumedCount > 0 || priced < count,
  };
}
