/**
 * One request as the provider counted it, and as we estimate it, with cuts and without: it may have been sent before
 * Coppice was installed.
 */
export interface Reading {
  readonly counted: number;
  readonly with: number;
  readonly without: number;
}

/** The provider's newest believed count, and the newest one since then that no other has confirmed yet. */
export interface Trust {
  readonly believed: Reading | undefined;
  readonly unconfirmed: Reading | undefined;
}

export const NO_READING: Trust = { believed: undefined, unconfirmed: undefined };

/** Counted tokens per estimated token. Outside this range the count is wrong, or belongs to another request. */
const LEAST_RATIO = 0.4;
const MOST_RATIO = 2;

/** Tokens that a host may add or remove unseen between two requests; in a small window at most this share of it. */
const UNSEEN_CHANGE = 2_000;
const UNSEEN_SHARE = 0.05;

/** In tokens. A system prompt with tools is assumed to be no larger. */
const MOST_PREFIX = 100_000;

/**
 * `prefix`: estimated tokens of system prompt and tools, included in the estimates. `window`: the window as known so
 * far.
 */
interface Terms {
  readonly prefix: number;
  readonly window: number;
}

/**
 * Decides whether a count is believed. It must be plausible for its request, and differ from an earlier count by
 * about as much as the messages do. One count is never enough, not even the first: a wrong one would cut a session to
 * nothing. If two agree with each other but not with the believed one (for example, because tools were added to the
 * prompt), the newer is believed.
 *
 *   9,000 | 11,000 | 3,000,000 | 15,000     ->  the second and the fourth
 *   9,000 | 20,000 | 33,000                 ->  none: these are sums over the session
 */
export function weigh(trust: Trust, reading: Reading, terms: Terms): Trust {
  if (!isPlausible(reading, terms)) return trust;
  const { believed, unconfirmed } = trust;
  const goesOn = (before: Reading | undefined) =>
    before !== undefined && goesOnFrom(before, reading, terms.window);
  if (goesOn(believed) || goesOn(unconfirmed)) return { believed: reading, unconfirmed: undefined };
  return { believed, unconfirmed: reading };
}

/** The most tokens that a provider counts for one estimated token. */
const MOST_COUNTED = 1.6;

/**
 * The window that two counts in a row prove, in tokens; 0 if they prove none. A count proves something only if the
 * messages that were really sent account for it: a sum over the session, or a count without cuts, soon exceeds them.
 */
export function provenWindow(before: Reading | undefined, reading: Reading, { prefix }: Terms): number {
  const isSent = (each: Reading) => each.counted <= MOST_COUNTED * (each.with - prefix);
  return before && isSent(before) && isSent(reading) ? Math.min(before.counted, reading.counted) : 0;
}

function isPlausible(reading: Reading, { prefix, window }: Terms): boolean {
  const { counted } = reading;
  const most = MOST_RATIO * Math.max(reading.with, reading.without);
  const least = LEAST_RATIO * (Math.min(reading.with, reading.without) - prefix);
  // Above the known window, the messages alone must account for the count: no system prompt is that large.
  return counted >= least && counted <= (counted > window ? most : most + MOST_PREFIX);
}

/** Is the difference between two counts explained by the messages between them? */
export function goesOnFrom(before: Reading, after: Reading, window: number): boolean {
  const unseen = Math.min(UNSEEN_CHANGE, UNSEEN_SHARE * window);
  const change = after.counted - before.counted;
  const grown = [after.with - before.with, after.without - before.without];
  const bounds = grown.flatMap((growth) => [LEAST_RATIO * growth, MOST_RATIO * growth]);
  return change >= Math.min(...bounds) - unseen && change <= Math.max(...bounds) + unseen;
}
