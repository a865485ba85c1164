import type { BookEntry } from "../replay/book-entry.ts";
import { countInput } from "../schedule/usage-cost.ts";

/** The totals of a session in one hour. Times are in milliseconds. */
export interface HourSpending {
  /** The start of the hour. */
  readonly hour: number;
  /** The times of the first and the last request in it. */
  readonly first: number;
  readonly last: number;
  readonly requests: number;
  readonly sent: number;
  readonly written: number;
  readonly dollars: number;
  readonly estimated: number;
  readonly avoidable: number;
  readonly unpriced: number;
}

export const HOUR = 3_600_000;

/**
 * Sums up requests by the hour, oldest first. Skips requests without a time.
 *
 * @param avoidable the avoidable part of each request, in dollars
 */
export function listHours(
  entries: readonly BookEntry[],
  avoidable: readonly number[],
): readonly HourSpending[] {
  const hours = entries.flatMap(({ time, tokens, input, output, estimated, unpriced }, i) => {
    if (time === undefined) return [];
    const dollars = unpriced ? 0 : input + output;
    const doubtful = (estimated.input ? input : 0) + (estimated.output ? output : 0);
    return [
      {
        hour: Math.floor(time / HOUR) * HOUR,
        first: time,
        last: time,
        requests: 1,
        sent: countInput(tokens),
        written: tokens.output,
        dollars,
        estimated: unpriced ? 0 : doubtful,
        avoidable: unpriced ? 0 : (avoidable[i] ?? 0),
        unpriced: unpriced ? 1 : 0,
      },
    ];
  });
  return addHours(hours);
}

/** Adds up entries of the same hour. Oldest first. */
export function addHours(all: readonly HourSpending[]): readonly HourSpending[] {
  const sums = new Map<number, HourSpending>();
  for (const each of all) {
    const known = sums.get(each.hour);
    sums.set(each.hour, known ? addSpans(known, each) : each);
  }
  return [...sums.values()].sort((a, b) => a.hour - b.hour);
}

/** Adds two spans of time. The result has the hour of the first. */
export function addSpans<S extends HourSpending>(a: S, b: HourSpending): S {
  return {
    ...a,
    first: Math.min(a.first, b.first),
    last: Math.max(a.last, b.last),
    requests: a.requests + b.requests,
    sent: a.sent + b.sent,
    written: a.written + b.written,
    dollars: a.dollars + b.dollars,
    estimated: a.estimated + b.estimated,
    avoidable: a.avoidable + b.avoidable,
    unpriced: a.unpriced + b.unpriced,
  };
}
