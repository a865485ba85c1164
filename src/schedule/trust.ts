/** One request as the provider counted it, and as we estimate it: with cuts, and without (it may have been made before Coppice came). */
export interface Reading {
  readonly counted: number;
  readonly with: number;
  readonly without: number;
}

/** The newest of the provider's figures that was believed, and the newest since then that no other has borne out yet. */
export interface Trust {
  readonly believed: Reading | undefined;
  readonly unconfirmed: Reading | undefined;
}

export const NO_READING: Trust = { believed: undefined, unconfirmed: undefined };

/** Beyond these no tokenizer is at work: the figure is wrong, or of something else than the last request. */
const LEAST_RATIO = 0.4;
const MOST_RATIO = 2;

/** What a host adds or takes away between two requests without showing it, in tokens; of a small window no more than a share. */
const UNSEEN_CHANGE = 2_000;
const UNSEEN_SHARE = 0.05;

/** The most that a system prompt and tools are believed to be. */
const MOST_PREFIX = 100_000;

/** What is known beside the figures: what the estimates assume of the prompt, and the window as it was given. */
interface Terms {
  readonly prefix: number;
  readonly window: number;
}

/**
 * Is this figure to be believed? It has to be one that such a request can have, and to go on from a figure before it as
 * the messages do. One alone is never enough, be it the first: a wrong one would cut a session to nothing. Where two go on
 * from each other and not from what was believed (tools were added to the prompt, say), they are right.
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

/** The most tokens that a provider counts for one of ours. */
const MOST_COUNTED = 1.6;

/**
 * What two figures in a row prove the window to hold, in tokens. Only messages that were really sent can fill it: a sum over
 * the session is soon more than they are, and so is what would have been sent without cuts.
 */
export function provenWindow(before: Reading | undefined, reading: Reading, { prefix }: Terms): number {
  const isSent = (each: Reading) => each.counted <= MOST_COUNTED * (each.with - prefix);
  return before && isSent(before) && isSent(reading) ? Math.min(before.counted, reading.counted) : 0;
}

function isPlausible(reading: Reading, { prefix, window }: Terms): boolean {
  const { counted } = reading;
  const most = MOST_RATIO * Math.max(reading.with, reading.without);
  const least = LEAST_RATIO * (Math.min(reading.with, reading.without) - prefix);
  // A window can only be larger than we think if the messages fill it: no prompt does.
  return counted >= least && counted <= (counted > window ? most : most + MOST_PREFIX);
}

/** Do the counts differ as the messages do? */
export function goesOnFrom(before: Reading, after: Reading, window: number): boolean {
  const unseen = Math.min(UNSEEN_CHANGE, UNSEEN_SHARE * window);
  const change = after.counted - before.counted;
  const grown = [after.with - before.with, after.without - before.without];
  const bounds = grown.flatMap((growth) => [LEAST_RATIO * growth, MOST_RATIO * growth]);
  return change >= Math.min(...bounds) - unseen && change <= Math.max(...bounds) + unseen;
}
