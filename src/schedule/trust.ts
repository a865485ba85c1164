/** One request as the provider counted it, and as we estimate it: with cuts, and without (it may have been made before Coppice came). */
export interface Reading {
  readonly counted: number;
  readonly with: number;
  readonly without: number;
}

/** Which of the provider's figures were believed: the newest that was, and the newest since then that was not. */
export interface Trust {
  readonly believed: Reading | undefined;
  readonly doubted: Reading | undefined;
}

export const NO_READING: Trust = { believed: undefined, doubted: undefined };

/** Beyond these no tokenizer is at work: the figure is wrong, or of something else than the last request. */
const LEAST_RATIO = 0.4;
const MOST_RATIO = 2;

/** What a host adds or takes away between two requests without showing it, in tokens. */
const UNSEEN_CHANGE = 2_000;

/** The most that a system prompt and tools are believed to be. */
const MOST_PREFIX = 100_000;

/** What is known beside the figures: what the estimates assume of the prompt, and the window as it was given. */
interface Terms {
  readonly prefix: number;
  readonly window: number;
}

/**
 * Is this figure to be believed? It has to be one that such a request can have, and to go on from the figure before it as
 * the messages do. Where it goes on from one that was doubted (tools were added to the prompt, say), both were right.
 *
 *   9,000 | 11,000 | 3,000,000 | 15,000     ->  all but the third
 *   9,000 | 20,000 | 33,000                 ->  only the first: these are sums over the session
 */
export function weigh(trust: Trust, reading: Reading, terms: Terms): Trust {
  if (!isPlausible(reading, terms)) return trust;
  const { believed, doubted } = trust;
  const goesOn = (before: Reading | undefined) => before !== undefined && goesOnFrom(before, reading);
  if (!believed || goesOn(believed) || goesOn(doubted)) return { believed: reading, doubted: undefined };
  return { believed, doubted: reading };
}

function isPlausible(reading: Reading, { prefix, window }: Terms): boolean {
  const { counted } = reading;
  const most = MOST_RATIO * Math.max(reading.with, reading.without);
  const least = LEAST_RATIO * (Math.min(reading.with, reading.without) - prefix);
  // A window can only be larger than we think if the messages fill it: no prompt does.
  return counted >= least && counted <= (counted > window ? most : most + MOST_PREFIX);
}

/** Do the counts differ as the messages do? */
export function goesOnFrom(before: Reading, after: Reading): boolean {
  const change = after.counted - before.counted;
  const grown = [after.with - before.with, after.without - before.without];
  const bounds = grown.flatMap((growth) => [LEAST_RATIO * growth, MOST_RATIO * growth]);
  return change >= Math.min(...bounds) - UNSEEN_CHANGE && change <= Math.max(...bounds) + UNSEEN_CHANGE;
}
