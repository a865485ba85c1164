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

/** Where a request may not fit, the next try comes after this share of the window … */
const NEXT_TRY = 0.02;
/** … and, as a try looks at all of a request, later where that is so many times as large as the window. */
const FAR_TOO_LARGE = 4;

/**
 * Is there pressure, and has the context grown enough for another cut? Where the last one could not reach the low-water
 * mark, the next would find little more: it waits until as much has come as the cut would have freed, or, where the
 * request may not fit, a little. It does not wait where the request did fit so far and now does not.
 */
export function hasGrown(used: number, { threshold, window, limits }: Room, afterLast: number): boolean {
  const overflows = limits.some((limit) => used > limit);
  const growth = overflows
    ? NEXT_TRY * Math.max(window, afterLast / FAR_TOO_LARGE)
    : (1 - LOW_WATER) * threshold;
  const isGrown = afterLast === 0 || used > afterLast + growth || used < afterLast;
  const passesLimit = limits.some((limit) => afterLast <= limit && used > limit);
  return passesLimit || ((used > threshold || overflows) && isGrown);
}

/** What a request may be, so that the answer has room. In a small window the answer gets half of it. */
export function inputLimit(window: number, reservedOutput: number): number {
  return window - Math.min(reservedOutput, window / 2);
}

/** What a request has to keep within. */
export interface Room {
  /** From here on there is pressure. */
  readonly threshold: number;
  readonly window: number;
  /** What it may be at most: the window, and what leaves room for the answer. */
  readonly limits: readonly number[];
}

/** What relief is for. */
export interface Target extends Pick<Room, "limits"> {
  /** Tokens that have to go. */
  readonly excess: number;
}

/** Is a cut that leaves `reached` of `used` tokens worth its rewrite? Half of what it is for, or a limit that is kept. */
export function brings(used: number, reached: number, { excess, limits }: Target): boolean {
  return used - reached >= excess / 2 || limits.some((limit) => used > limit && reached <= limit);
}

/** A request that is looked through for what can go. */
export interface Look {
  readonly used: number;
  readonly turn: number;
  /** Tokens that what is due would save. */
  readonly due: number;
}

/** Looks in a row that cut nothing, and how the last of them stood. */
export interface Fruitless extends Look {
  readonly tries: number;
  /** What it would have brought the request to. */
  readonly reached: number;
}

/** So many of them may come at every step. */
const FREE_TRIES = 8;
/** After that the context has to grow or shrink by this share, which doubles with every try, up to so many times … */
const FIRST_CHANGE = 0.001;
const DOUBLINGS = 7;
/** … or the turns by this one: a new turn frees what the last one held. */
const MORE_TURNS = 0.05;

/**
 * Where a request does not fit and nothing comes of looking through all of it, that is not repeated at every step: it
 * would take ever longer. It is where another limit is passed, or what is due now would do.
 */
export function mayLookAgain(look: Look, before: Fruitless, target: Target): boolean {
  const { used, turn, due } = look;
  const extra = before.tries - FREE_TRIES;
  if (extra < 0 || turn > before.turn * (1 + MORE_TURNS)) return true;
  if (target.limits.some((limit) => before.used <= limit && used > limit)) return true;
  const isDue = brings(used, used - due, target);
  const goesOn = target.limits.some((limit) => used > limit && before.reached - (due - before.due) <= limit);
  const change = before.used * FIRST_CHANGE * 2 ** Math.min(extra, DOUBLINGS);
  return isDue || goesOn || Math.abs(used - before.used) > change;
}
