import type { CachePrices, ModelProfile } from "../models/profile.ts";
import { type CacheState, EMPTY_CACHE, isCold, noteRequest } from "../schedule/cache-model.ts";
import { countInput } from "../schedule/usage-cost.ts";
import type { Usage } from "../transcript/message.ts";
import { sum } from "./sum.ts";

/** A recorded request, as far as the fit looks at it. */
export interface Sample {
  readonly segment: number;
  readonly profile: ModelProfile;
  readonly time: number | undefined;
  /** Its messages by our own estimate. */
  readonly estimate: number;
  /** Of these, what the cache may hold: the request before it, and its answer where that is cached too. */
  readonly kept: number;
  /** What the provider counted. */
  readonly usage: Usage | undefined;
}

/** How a provider counts and caches the requests of one model in one session. */
export interface Counting {
  /** Tokens before the first message: system prompt, tool schemas, and whatever else was sent and not recorded. */
  readonly prefix: number;
  /** Tokens that are counted for one of our estimate. */
  readonly scale: number;
  /** Tokens of the prefix that are cached at a cold start: other sessions begin with them too. */
  readonly shared: number;
  /** The share of what should have been in the cache that was found there. */
  readonly hits: number;
  /** Is there a cache at all? */
  readonly caches: boolean;
  /** Is text that is written to the cache billed as such, or as plain input? */
  readonly billsWrites: boolean;
  /** Longer than the model's, where requests found their prefix after a longer pause; in milliseconds. */
  readonly ttl: number;
}

/** Without anything recorded: a cache that keeps what it promises. */
export function countPlainly(prefix: number, scale: number = 1): Counting {
  return { prefix, scale, shared: 0, hits: 1, caches: true, billsWrites: true, ttl: 0 };
}

/** The model's prices and lifetime, as usage shows them. */
export function pricesUnder({ caches, billsWrites, ttl }: Counting, { cache }: ModelProfile): CachePrices {
  if (!caches) return { ...cache, read: 1, write: 1 };
  if (billsWrites && ttl <= cache.ttl) return cache;
  return { ...cache, write: billsWrites ? cache.write : 1, ttl: Math.max(ttl, cache.ttl) };
}

/**
 * What recorded usage tells of how requests are counted, by the model's plain id: a few figures for a session, none for a
 * single request. A model without usage is not in it.
 */
export function fitUsage(samples: readonly Sample[]): ReadonlyMap<string, Counting> {
  const fits = new Map<string, Counting>();
  const profiles = new Map(
    samples.flatMap(({ profile, usage }) => (usage ? [[profile.plainId, profile] as const] : [])),
  );
  for (const [id, profile] of profiles) fits.set(id, fitModel(samples, profile));
  return fits;
}

function fitModel(samples: readonly Sample[], profile: ModelProfile): Counting {
  const isOwn = (sample: Sample): sample is Counted =>
    sample.profile.plainId === profile.plainId && sample.usage !== undefined;
  const own = samples.filter(isOwn);
  const written = sum(own.map(({ usage }) => usage.cacheWrite));
  const found = sum(own.map(({ usage }) => usage.cacheRead));
  const tokens = fitTokens(own, profile.tokensPerEstimate);
  const plain: Counting = {
    ...tokens,
    shared: 0,
    hits: 1,
    caches: true,
    billsWrites: written > 0,
    ttl: fitTtl(samples, profile),
  };
  const cold = findCold(samples, profile, plain);
  const starts = own.filter((sample) => cold.has(sample));
  const warm = own.filter((sample) => !cold.has(sample));
  if (warm.length > 0 && written + found === 0) return { ...plain, caches: false };
  const read = (each: readonly Counted[]) => sum(each.map(({ usage }) => usage.cacheRead));
  const held = sum(warm.map(({ kept }) => tokens.prefix + tokens.scale * kept));
  return {
    ...plain,
    shared: starts.length > 0 ? Math.min(tokens.prefix, read(starts) / starts.length) : 0,
    hits: held > 0 ? Math.min(1, read(warm) / held) : 1,
  };
}

type Counted = Sample & { readonly usage: Usage };

/** Fewer tokens of growth say nothing of the scale. */
const LEAST_GROWTH = 2_000;

/**
 * How a text counts shows where the messages grow: the median of growth counted over growth estimated, so that neither
 * hidden reasoning nor what a host cleared moves it. The prefix is what is left on average.
 */
function fitTokens(own: readonly Counted[], usual: number): Pick<Counting, "prefix" | "scale"> {
  const growths = own.flatMap((sample, i) => {
    const before = own[i - 1];
    const weight = before?.segment === sample.segment ? sample.estimate - before.estimate : 0;
    if (!before || weight <= 0) return [];
    return [{ weight, value: (countInput(sample.usage) - countInput(before.usage)) / weight }];
  });
  const isEnough = growths.length >= 4 && sum(growths.map(({ weight }) => weight)) >= LEAST_GROWTH;
  const grown = isEnough ? medianByWeight(growths) : usual;
  const scale = grown > 0 ? grown : usual;
  const counted = sum(own.map(({ usage }) => countInput(usage)));
  const estimated = sum(own.map(({ estimate }) => estimate));
  const prefix = (counted - scale * estimated) / own.length;
  if (prefix >= 0) return { prefix, scale };
  return { prefix: 0, scale: estimated > 0 ? counted / estimated : usual };
}

function medianByWeight(items: readonly { readonly weight: number; readonly value: number }[]): number {
  const sorted = items.toSorted((a, b) => a.value - b.value);
  let left = sum(items.map(({ weight }) => weight)) / 2;
  for (const { weight, value } of sorted) {
    left -= weight;
    if (left <= 0) return value;
  }
  return sorted.at(-1)?.value ?? 1;
}

/** The pause up to which most requests found their prefix, though the model's cache would have expired. */
function fitTtl(samples: readonly Sample[], { plainId }: ModelProfile): number {
  const pauses = samples.flatMap((sample, i) => {
    const before = samples[i - 1];
    if (!before || before.segment !== sample.segment || sample.profile.plainId !== plainId) return [];
    if (before.profile.plainId !== plainId || !sample.usage || !before.usage) return [];
    const pause = (sample.time ?? 0) - (before.time ?? sample.time ?? 0);
    const isFound = sample.usage.cacheRead > countInput(before.usage) / 2;
    return pause > sample.profile.cache.ttl ? [{ pause, vote: isFound ? 1 : -1 }] : [];
  });
  let [ttl, votes, most] = [0, 0, 0];
  for (const { pause, vote } of pauses.toSorted((a, b) => a.pause - b.pause)) {
    votes += vote;
    if (votes > most) [ttl, most] = [pause, votes];
  }
  return ttl;
}

/** The requests that found the cache cold, but for what all sessions share. */
function findCold(
  samples: readonly Sample[],
  { plainId }: ModelProfile,
  counting: Counting,
): ReadonlySet<Sample> {
  const cold = new Set<Sample>();
  let cache: CacheState = EMPTY_CACHE;
  let segment = -1;
  for (const sample of samples) {
    if (sample.segment !== segment) cache = EMPTY_CACHE;
    segment = sample.segment;
    const isOwn = sample.profile.plainId === plainId;
    const prices = isOwn ? pricesUnder(counting, sample.profile) : sample.profile.cache;
    const profile = { ...sample.profile, cache: prices };
    if (isCold(cache, profile, sample.time)) cold.add(sample);
    cache = noteRequest(cache, profile, sample.time);
  }
  return cold;
}
