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

/** Tries in a row that cut nothing, and how the last of them stood. */
export interface Fruitless {
  readonly tries: number;
  /** Tokens of the request. */
  readonly used: number;
  /** The part up to which nothing might change. */
  readonly floor: number;
  /** How many of the limits the request was beyond. */
  readonly exceeded: number;
}

/** By which share a context grows or shrinks until it is looked through again after one fruitless try: next to nothing. */
const FIRST_CHANGE = 0.001;
/** It doubles with every try, up to so many times. */
const DOUBLINGS = 7;

/**
 * Where a request does not fit and nothing comes of looking through all of it, that is not repeated at every step: it
 * would take ever longer.
 */
export function mayLookAgain(
  used: number,
  { tries, used: before }: Pick<Fruitless, "tries" | "used">,
): boolean {
  const change = FIRST_CHANGE * 2 ** Math.min(tries, DOUBLINGS);
  return tries === 0 || Math.abs(used - before) > change * before;
}
