import type { CachePrices, ModelProfile } from "../models/profile.ts";
import { type Kept, NO_CACHE_YET, type PromptCache, sendThrough } from "../schedule/prompt-cache.ts";
import { countInput } from "../schedule/usage-cost.ts";
import type { Usage } from "../transcript/message.ts";
import { sum } from "./sum.ts";

/** The data of a recorded request that the fit uses. */
export interface Sample {
  /** Counts over the whole session. */
  readonly index: number;
  readonly segment: number;
  readonly profile: ModelProfile;
  readonly time: number | undefined;
  /** Our estimate of its messages. */
  readonly estimate: number;
  readonly blocks: number;
  /** The text in common with the previous request, and with its answer if that is cached too. */
  readonly kept: Kept;
  /** The provider's count. */
  readonly usage: Usage | undefined;
}

/** How a provider counts and caches the requests of one model in one session. */
export interface UsageFit {
  /** Tokens before the first message: system prompt, tool schemas, and other text that was sent but not recorded. */
  readonly prefix: number;
  /** Provider tokens per estimated token. */
  readonly scale: number;
  /** Tokens of the prefix that are cached at a cold start, because other sessions begin with them too. */
  readonly shared: number;
  /** The share of text found in the cache, of the text that should have been there. */
  readonly hits: number;
  /** Does the provider cache at all? */
  readonly caches: boolean;
  /** Is text that is written to the cache billed as such, or as plain input? */
  readonly billsWrites: boolean;
  /** Longer than the model's, if requests found their prefix after a longer pause; in milliseconds. */
  readonly ttl: number;
  /** It was found from recorded usage. */
  readonly isRecorded?: true;
}

/** For sessions without recorded usage: a cache that always works. */
export function countPlainly(prefix: number, scale: number = 1): UsageFit {
  return { prefix, scale, shared: 0, hits: 1, caches: true, billsWrites: true, ttl: 0 };
}

/** The model's prices and cache lifetime, corrected by usage. */
export function pricesUnder({ caches, billsWrites, ttl }: UsageFit, { cache }: ModelProfile): CachePrices {
  if (!caches) return { ...cache, read: 1, write: 1 };
  if (billsWrites && ttl <= cache.ttl) return cache;
  return { ...cache, write: billsWrites ? cache.write : 1, ttl: Math.max(ttl, cache.ttl) };
}

/**
 * Finds how requests are counted from recorded usage, by the model's plain id: a few figures for the whole session.
 * Leaves out models without usage.
 */
export function fitUsage(samples: readonly Sample[]): ReadonlyMap<string, UsageFit> {
  const own = new Map<string, Counted[]>();
  for (const sample of samples) {
    const { usage, profile } = sample;
    if (!usage) continue;
    const others = own.get(profile.plainId);
    if (others) others.push({ ...sample, usage });
    else own.set(profile.plainId, [{ ...sample, usage }]);
  }
  const ttls = fitTtls(samples);
  const found = findRead(samples, ttls);
  const fits = [...own].map(([id, counted]) => [id, fitModel(counted, ttls.get(id) ?? 0, found)] as const);
  return new Map(fits);
}

function fitModel(own: readonly Counted[], ttl: number, findable: ReadonlyMap<number, number>): UsageFit {
  const written = sum(own.map(({ usage }) => usage.cacheWrite));
  const found = sum(own.map(({ usage }) => usage.cacheRead));
  const tokens = fitTokens(own, own[0]?.profile.tokensPerEstimate ?? 1);
  const plain: UsageFit = {
    ...tokens,
    ...{ shared: 0, hits: 1, caches: true, billsWrites: written > 0, ttl, isRecorded: true },
  };
  const starts = own.filter(({ index }) => !findable.has(index));
  const warm = own.filter(({ index }) => findable.has(index));
  if (warm.length > 0 && written + found === 0) return { ...plain, caches: false };
  const read = (each: readonly Counted[]) => sum(each.map(({ usage }) => usage.cacheRead));
  const held = sum(warm.map(({ index }) => tokens.prefix + tokens.scale * (findable.get(index) ?? 0)));
  return {
    ...plain,
    shared: starts.length > 0 ? Math.min(tokens.prefix, read(starts) / starts.length) : 0,
    hits: held > 0 ? Math.min(1, read(warm) / held) : 1,
  };
}

type Counted = Sample & { readonly usage: Usage };

/** Fewer tokens of growth do not show the scale. */
const LEAST_GROWTH = 2_000;

/**
 * The growth of the messages shows how text is counted: the scale is the median of counted growth over estimated
 * growth, so that hidden reasoning and text that a host cleared do not affect it. The prefix is the average
 * remainder.
 */
function fitTokens(own: readonly Counted[], usual: number): Pick<UsageFit, "prefix" | "scale"> {
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

/** For each model, the pause up to which most requests found their prefix although its cache should have expired. */
function fitTtls(samples: readonly Sample[]): ReadonlyMap<string, number> {
  const pauses = new Map<string, { readonly pause: number; readonly vote: number }[]>();
  for (const [i, sample] of samples.entries()) {
    const before = samples[i - 1];
    const { plainId, cache } = sample.profile;
    if (!before || before.segment !== sample.segment || before.profile.plainId !== plainId) continue;
    const pause = (sample.time ?? 0) - (before.time ?? sample.time ?? 0);
    if (!sample.usage || !before.usage || pause <= cache.ttl) continue;
    const vote = sample.usage.cacheRead > countInput(before.usage) / 2 ? 1 : -1;
    const others = pauses.get(plainId);
    if (others) others.push({ pause, vote });
    else pauses.set(plainId, [{ pause, vote }]);
  }
  return new Map([...pauses].map(([id, own]) => [id, findLongest(own)]));
}

function findLongest(pauses: readonly { readonly pause: number; readonly vote: number }[]): number {
  let [ttl, votes, most] = [0, 0, 0];
  for (const { pause, vote } of pauses.toSorted((a, b) => a.pause - b.pause)) {
    votes += vote;
    if (votes > most) [ttl, most] = [pause, votes];
  }
  return ttl;
}

/** Any prefix is longer than a provider's minimum. */
const SOME_PREFIX = 10_000;

/**
 * By index, the estimated message tokens that a request finds in the cache. Leaves out requests that find nothing.
 */
function findRead(
  samples: readonly Sample[],
  ttls: ReadonlyMap<string, number>,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  let cache: PromptCache = NO_CACHE_YET;
  let segment = -1;
  for (const { index, profile, time, estimate, blocks, kept, ...sample } of samples) {
    if (sample.segment !== segment) cache = NO_CACHE_YET;
    segment = sample.segment;
    const { cache: listed, plainId } = profile;
    const ttl = Math.max(listed.ttl, ttls.get(plainId) ?? 0);
    const total = SOME_PREFIX + estimate;
    const outcome = sendThrough(cache, {
      model: plainId,
      prices: { ...listed, ttl },
      time,
      kept: { blocks: kept.blocks, tokens: SOME_PREFIX + kept.tokens },
      total,
      blocks,
      marks: [
        { blocks: 0, tokens: SOME_PREFIX },
        { blocks, tokens: total },
      ],
    });
    ({ cache } = outcome);
    if (outcome.read > 0) found.set(index, outcome.read - SOME_PREFIX);
  }
  return found;
}
