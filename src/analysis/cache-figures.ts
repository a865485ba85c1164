import type { ModelProfile } from "../models/profile.ts";
import type { Recording } from "../recordings/recording.ts";
import type { ReplayBench } from "../replay/replay.ts";
import type { Day } from "./calendar.ts";
import { type CacheEffect, INFERRED_CAUSES, type InferredCause, inferLosses } from "./infer-losses.ts";
import type { Carried } from "./session-analysis.ts";

/** Figures on the provider's caches: inferred, because recordings do not contain whole requests. */
export interface CacheFigures {
  /** Losses by cause; the most expensive first. */
  readonly losses: readonly InferredSum[];
  readonly lives: CacheLives;
  /** The number of losses that a key for the prefix, or a longer retention, might have prevented. */
  readonly keyed: number;
}

/** The extra cost of lost text, compared with reading it. */
export interface InferredSum extends Carried {
  readonly cause: InferredCause;
  readonly count: number;
}

/** The cost of these requests' input with caches of the shorter and of the longer lifetime, in US dollars. */
export interface CacheLives {
  /** Requests to models that have both. */
  readonly requests: number;
  /** How many of them asked for the longer one. */
  readonly wantLong: number;
  readonly short: number;
  readonly long: number;
}

/** @param days the day of each request; those without one are under `undefined` */
export function figureCaches(
  { segments }: Recording,
  { book, unpruned }: ReplayBench,
  days: readonly (Day | undefined)[],
  profileOf: (model: string | undefined) => ModelProfile,
): (day: Day | undefined) => CacheFigures {
  const own = book.entries.slice(0, unpruned.requests.length);
  const places = unpruned.requests.map(({ segment }) => segment);
  const starts = places.flatMap((segment, i) =>
    i === 0 || (segment !== places[i - 1] && segments[segment]?.separate) ? [i] : [],
  );
  // Another conversation never had the text of the previous one.
  const outcomes = starts.flatMap((start, i) =>
    inferLosses(own.slice(start, starts[i + 1]), places.slice(start, starts[i + 1]), profileOf),
  );
  const byDay = new Map<Day | undefined, CacheEffect[]>();
  for (const [i, outcome] of outcomes.entries()) {
    const known = byDay.get(days[i]);
    if (known) known.push(outcome);
    else byDay.set(days[i], [outcome]);
  }
  return (day) => addCaches((byDay.get(day) ?? []).map(toFigures));
}

function toFigures({ loss, lives }: CacheEffect): CacheFigures {
  return {
    losses: loss ? [{ cause: loss.cause, tokens: loss.tokens, dollars: loss.dollars, count: 1 }] : [],
    lives: lives
      ? { requests: 1, wantLong: lives.isLong ? 1 : 0, short: lives.short, long: lives.long }
      : { requests: 0, wantLong: 0, short: 0, long: 0 },
    keyed: loss?.isKeyed ? 1 : 0,
  };
}

export function addCaches(all: readonly CacheFigures[]): CacheFigures {
  const losses = all.flatMap((figures) => figures.losses);
  const lives = { requests: 0, wantLong: 0, short: 0, long: 0 };
  for (const { lives: own } of all) {
    lives.requests += own.requests;
    lives.wantLong += own.wantLong;
    lives.short += own.short;
    lives.long += own.long;
  }
  return {
    losses: INFERRED_CAUSES.map((cause) =>
      losses
        .filter((each) => each.cause === cause)
        .reduce(
          (sum, { count, tokens, dollars }) => ({
            cause,
            count: sum.count + count,
            tokens: sum.tokens + tokens,
            dollars: sum.dollars + dollars,
          }),
          { cause, count: 0, tokens: 0, dollars: 0 },
        ),
    )
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.dollars - a.dollars || b.tokens - a.tokens),
    lives,
    keyed: all.reduce((sum, { keyed }) => sum + keyed, 0),
  };
}
