/** How full the window is, in the words that agents and people read. */
export type PressureLevel = "light" | "moderate" | "high" | "critical";

export interface Pressure {
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
 * Where a request may not fit, the next try comes after this share of the window, or of the request where that is far
 * larger: a try looks at all of it.
 */
const NEXT_TRY = 0.02;

/**
 * Is there pressure (the threshold is passed, or the request may not fit), and has the context grown enough for another
 * cut? Where the last one could not reach the low-water mark, the next would find little more: it waits until as much has
 * come as the cut would have freed, or, where the request may not fit, a little.
 */
export function hasGrown(
  used: number,
  { threshold, window, mayOverflow }: { threshold: number; window: number; mayOverflow: boolean },
  afterLast: number,
): boolean {
  const growth = mayOverflow ? NEXT_TRY * Math.max(window, afterLast) : (1 - LOW_WATER) * threshold;
  return (
    (used > threshold || mayOverflow) && (afterLast === 0 || used > afterLast + growth || used < afterLast)
  );
}

/** Tries in a row that cut nothing, and how large the request was at the last of them, and in which turn. */
export interface Fruitless {
  readonly tries: number;
  readonly used: number;
  readonly turn: number;
}

/** So many of them may come at every step. */
const FREE_TRIES = 8;
/** After that the context has to grow or shrink by this share, which doubles with every try, up to so many times … */
const FIRST_CHANGE = 0.001;
const DOUBLINGS = 7;
/** … or as large a share of its turns to come: a new one frees what the last one held. */
const MORE_TURNS = 0.05;

/**
 * Where a request does not fit and nothing comes of looking through all of it, that is not repeated at every step: it
 * would take ever longer.
 */
export function mayLookAgain({ used, turn }: Omit<Fruitless, "tries">, before: Fruitless): boolean {
  const extra = before.tries - FREE_TRIES;
  if (extra < 0 || turn > before.turn * (1 + MORE_TURNS)) return true;
  return Math.abs(used - before.used) > before.used * FIRST_CHANGE * 2 ** Math.min(extra, DOUBLINGS);
}
