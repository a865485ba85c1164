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

/** Tries in a row that found nothing to cut, and the tokens of the request at the last of them. */
export interface Fruitless {
  readonly tries: number;
  readonly used: number;
}

/** What a context grows by, as a share of it, until it is looked through again after one fruitless try: next to nothing. */
const FIRST_GROWTH = 0.001;
/** It doubles with every try, up to so many times. */
const DOUBLINGS = 7;

/** A look at all of a context that finds nothing is not repeated at every step: as the context grows it would take ever longer. */
export function mayLookAgain(used: number, { tries, used: before }: Fruitless): boolean {
  const growth = FIRST_GROWTH * 2 ** Math.min(tries, DOUBLINGS);
  return tries === 0 || used < before || used > before * (1 + growth);
}
