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

/** A cut under pressure goes down to this share of the threshold, so that the next one does not follow at once. */
const LOW_WATER = 0.8;

/** Tokens that have to go once the threshold is passed; 0 below it. */
export function measureExcess(used: number, threshold: number): number {
  return used > threshold ? used - LOW_WATER * threshold : 0;
}

/** Where a request may not fit, it has to grow by this share of the window before the next try. */
const NEXT_TRY_SHARE = 0.02;
/** A request of more windows than this has to grow by a share of its own size: a try looks at all of it. */
const FAR_TOO_LARGE = 4;

/**
 * Is there pressure, and has the context changed enough since the last cut for another one? The next cut comes when the
 * context has grown by as much as a cut is meant to free, or by a little where the request may not fit, or when it has
 * shrunk. It comes at once where the request has fitted so far and now does not.
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

/** The largest request that leaves room for the answer. In a small window the answer gets half of it. */
export function inputLimit(window: number, reservedOutput: number): number {
  return window - Math.min(reservedOutput, window / 2);
}

/** The sizes that a request is held against, in tokens. */
export interface RequestLimits {
  /** Above this there is pressure. */
  readonly threshold: number;
  readonly window: number;
  /** What it may be at most: the window, and what leaves room for the answer. */
  readonly limits: readonly number[];
}

/** What relief is for. */
export interface Target extends Pick<RequestLimits, "limits"> {
  /** Tokens that have to go. */
  readonly excess: number;
}

/**
 * Is a cut from `used` to `reached` tokens worth its rewrite? It has to remove at least half of the excess, or to bring
 * the request below a limit.
 */
export function brings(used: number, reached: number, { excess, limits }: Target): boolean {
  return used - reached >= excess / 2 || limits.some((limit) => used > limit && reached <= limit);
}

/** A request that is searched for text to cut. */
export interface PressureSearch {
  readonly used: number;
  readonly turn: number;
  /** Tokens that the due proposals would save. */
  readonly due: number;
}

/** How many searches in a row cut nothing, and what the last of them found. */
export interface Fruitless extends PressureSearch {
  readonly tries: number;
  /** Tokens that the request would have had after its cut. */
  readonly reached: number;
}

/** This many fruitless searches in a row are made without waiting. */
const FREE_TRIES = 8;
/** After that the context has to grow or shrink by this share. It doubles with each search, up to a limit. */
const FIRST_CHANGE_SHARE = 0.001;
const MOST_DOUBLINGS = 7;
/** Or the number of turns has to grow by this share: a new turn frees what the last one protected. */
const MORE_TURNS_SHARE = 0.05;

/**
 * May a request be searched again, after searches that cut nothing? Searching all of it at every step would take ever
 * longer. It is searched at once where another limit is passed, or where what is due now would be enough.
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
