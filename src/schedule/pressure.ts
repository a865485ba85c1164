/** How full the window is, in the words that agents and people read. */
export type PressureLevel = "light" | "moderate" | "high" | "critical";

export interface Pressure {
  /** Tokens of the request as it goes out: after its cut, with tags, without a reminder behind it. */
  readonly used: number;
  readonly window: number;
  readonly share: number;
  readonly level: PressureLevel;
}

export function measurePressure(used: number, window: number): Pressure {
  const share = window > 0 ? used / window : 0;
  const level = share < 0.5 ? "light" : share < 0.75 ? "moderate" : share <= 0.9 ? "high" : "critical";
  return { used, window, share, level };
}

/** Once under pressure, a cut goes down to this share of the threshold: at the threshold itself it would come again at once. */
const LOW_WATER = 0.8;

/** Tokens that have to go once the threshold is passed; 0 below it. */
export function measureExcess(used: number, threshold: number): number {
  return used > threshold ? used - LOW_WATER * threshold : 0;
}

/**
 * Is the threshold passed, and has the context grown enough for another cut? Where the last one could not reach the
 * low-water mark, the next would find little more: it waits until as much has come as the cut would have freed.
 */
export function hasGrown(used: number, threshold: number, afterLast: number): boolean {
  const isGrown = afterLast === 0 || used > afterLast + (1 - LOW_WATER) * threshold || used < afterLast;
  return used > threshold && isGrown;
}
