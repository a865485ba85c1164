/** How full the window is, in the words that agents and people see. */
export type PressureLevel = "light" | "moderate" | "high" | "critical";

export interface Pressure {
  /** Tokens of the request as sent: after its cut, with tags, without a reminder at its end. */
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

/** A cut under pressure aims at this share of the threshold, so that the next cut does not follow at once. */
const LOW_WATER = 0.8;

/** Tokens to remove above the threshold; 0 below it. */
export function measureExcess(used: number, threshold: number): number {
  return used > threshold ? used - LOW_WATER * threshold : 0;
}

/** If a request may not fit, it must grow by this share of the window before the next try. */
const NEXT_TRY_SHARE = 0.02;
/**
 * A request larger than this many windows must grow by a share of its own size, because each try searches all of it.
 */
const FAR_TOO_LARGE = 4;

/**
 * Is there pressure, and has the context changed enough since the last cut for another one? The next cut comes when
 * the context has grown by as much as a cut is meant to free (or by a little, if the request may not fit), or when it
 * has shrunk. It comes at once if the request used to fit and now does not.
 */
export function hasGrown(
  used: number,
  { threshold, window, limits }: RequestLimits,
  afterLast: number,
): boolean {
  const overflows = limits.some((limit) => used > limit);
  const growth = overflows
    ? NEXT_TRY_SHARE * Math.max(window, afterLast / FAR_TOO_LARGE)
    : (1 - LOW_WATER) * threshold;
  const isGrown = afterLast === 0 || used > afterLast + growth || used < afterLast;
  const passesLimit = limits.some((limit) => afterLast <= limit && used > limit);
  return passesLimit || ((used > threshold || overflows) && isGrown);
}

/** The largest request that leaves room for the response. In a small window the response gets half. */
export function inputLimit(window: number, reservedOutput: number): number {
  return window - Math.min(reservedOutput, window / 2);
}

/** The sizes that a request is compared with, in tokens. */
export interface RequestLimits {
  /** Above this size there is pressure. */
  readonly threshold: number;
  readonly window: number;
  /** The maximum sizes: the window, and the size that leaves room for the response. */
  readonly limits: readonly number[];
}

/** The goal of a cut under pressure. */
export interface Target extends Pick<RequestLimits, "limits"> {
  /** Tokens to remove. */
  readonly excess: number;
}

/**
 * Is a cut from `used` to `reached` tokens worth its rewrite? It must remove at least half of the excess, or bring
 * the request below a limit.
 */
export function brings(used: number, reached: number, { excess, limits }: Target): boolean {
  return used - reached >= excess / 2 || limits.some((limit) => used > limit && reached <= limit);
}

/** A request that is searched for text to cut. */
export interface PressureSearch {
  readonly used: number;
  readonly turn: number;
  /** Tokens that the due plans would save. */
  readonly due: number;
}

/** The number of searches in a row that cut nothing, and the result of the last one. */
export interface Fruitless extends PressureSearch {
  readonly tries: number;
  /** Tokens that the request would have had after its cut. */
  readonly reached: number;
}

/** This many fruitless searches in a row are made without waiting. */
const FREE_TRIES = 8;
/** After that the context must grow or shrink by this share. The share doubles with each search, up to a limit. */
const FIRST_CHANGE_SHARE = 0.001;
const MOST_DOUBLINGS = 7;
/** Or the number of turns must grow by this share: a new turn ends the protection of the one before. */
const MORE_TURNS_SHARE = 0.05;

/**
 * May a request be searched again, after searches that cut nothing? To search all of it at every step would take
 * longer and longer. It is searched at once if it passes another limit, or if the plans that are due now would be
 * enough.
 */
export function mayLookAgain(look: PressureSearch, before: Fruitless, target: Target): boolean {
  const { used, turn, due } = look;
  const extra = before.tries - FREE_TRIES;
  if (extra < 0 || turn > before.turn * (1 + MORE_TURNS_SHARE)) return true;
  if (target.limits.some((limit) => before.used <= limit && used > limit)) return true;
  const isDue = brings(used, used - due, target);
  const goesOn = target.limits.some((limit) => used > limit && before.reached - (due - before.due) <= limit);
  const change = before.used * FIRST_CHANGE_SHARE * 2 ** Math.min(extra, MOST_DOUBLINGS);
  return isDue || goesOn || Math.abs(used - before.used) > change;
}
