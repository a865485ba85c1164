import type { ModelProfile } from "../models/profile.ts";
import type { BookEntry } from "../replay/book-entry.ts";
import { dollarsPerToken } from "../replay/book-entry.ts";
import { countInput, priceInput } from "../schedule/usage-cost.ts";
import type { Usage } from "../transcript/message.ts";

/** Recordings do not contain whole requests, so causes are inferred: from times, models and compactions. */
export const INFERRED_CAUSES = [
  "another model",
  "a compaction",
  "a pause over an hour",
  "a pause longer than the cache lives",
  "within the cache's life",
  "no times recorded",
] as const;

export type InferredCause = (typeof INFERRED_CAUSES)[number];

/** The state of the cache at one request. Money in US dollars. */
export interface CacheEffect {
  /** Text that the previous request had in the cache, and that was paid for again. */
  readonly loss?: {
    readonly cause: InferredCause;
    readonly tokens: number;
    readonly dollars: number;
    /** The same prefix was sent again, to a provider that accepts a key for it. */
    readonly isKeyed: boolean;
  };
  /** The cost of its input with caches of either lifetime, if the provider has both. */
  readonly lives?: { readonly short: number; readonly long: number; readonly isLong: boolean };
}

/** A request as it was recorded. */
export type RecordedEntry = Pick<BookEntry, "time" | "model" | "tokens" | "estimated" | "unpriced">;

/** Rewrites of less than this share of a request are new text, or the provider's granularity. */
const WORTH_NAMING = 1 / 3;
const HOUR = 3_600_000;

/**
 * One outcome for each of a session's requests. Those without recorded usage have none.
 *
 * @param segments the segment of each: a compaction starts another
 */
export function inferLosses(
  entries: readonly RecordedEntry[],
  segments: readonly number[],
  profileOf: (model: string | undefined) => ModelProfile,
): readonly CacheEffect[] {
  return entries.map((now, i) => {
    const before = entries[i - 1];
    if (now.estimated.input) return {};
    const profile = profileOf(now.model);
    const isFirst = !before || before.estimated.input;
    const isCompacted = segments[i] !== segments[i - 1];
    const link: Link | undefined = isFirst
      ? undefined
      : { ...linkOf(before, now, profileOf(before.model), profile), isCompacted };
    const loss = link && findLoss(link, now, profile);
    const lives = now.unpriced ? undefined : priceLives(link, loss?.cause, now.tokens, profile);
    return { ...(loss && { loss }), ...(lives && { lives }) };
  });
}

/** The relation of a request to the previous one. */
interface Link {
  /** In milliseconds. */
  readonly pause: number | undefined;
  /** The lifetime of its cache entries, in milliseconds. */
  readonly life: number;
  readonly isOtherModel: boolean;
  readonly isCompacted: boolean;
  /** Tokens that were cached then and not read now. */
  readonly lost: number;
}

function linkOf(
  before: RecordedEntry,
  now: RecordedEntry,
  then: ModelProfile,
  { plainId }: ModelProfile,
): Omit<Link, "isCompacted"> {
  const { tokens } = before;
  const usesCache = tokens.cacheRead + tokens.cacheWrite > 0;
  const cached = then.cache.marks ? tokens.cacheRead + tokens.cacheWrite : countInput(tokens);
  return {
    pause: now.time === undefined || before.time === undefined ? undefined : now.time - before.time,
    life: isLong(tokens) ? (then.longCache?.ttl ?? then.cache.ttl) : then.cache.ttl,
    isOtherModel: then.plainId !== plainId,
    lost: usesCache ? Math.max(0, Math.min(cached, countInput(now.tokens)) - now.tokens.cacheRead) : 0,
  };
}

/** Most of the writes were for the longer cache. */
function isLong({ longWrite = 0, cacheWrite }: Usage): boolean {
  return longWrite > cacheWrite / 2;
}

function findLoss(
  link: Link,
  { tokens, unpriced }: RecordedEntry,
  profile: ModelProfile,
): CacheEffect["loss"] {
  const { lost } = link;
  if (lost === 0 || lost < WORTH_NAMING * countInput(tokens)) return undefined;
  const { cache, longCache } = profile;
  const write =
    tokens.cacheWrite === 0 ? 1 : isLong(tokens) ? (longCache?.write ?? cache.write) : cache.write;
  const dollars = unpriced ? 0 : lost * Math.max(0, write - cache.read) * dollarsPerToken(profile);
  const isKeyed = cache.keyed === true && !link.isOtherModel && !link.isCompacted;
  return { cause: nameCause(link), tokens: lost, dollars, isKeyed };
}

function nameCause({ pause, life, isOtherModel, isCompacted }: Link): InferredCause {
  if (isOtherModel) return "another model";
  if (isCompacted) return "a compaction";
  if (pause === undefined) return "no times recorded";
  if (pause > HOUR) return "a pause over an hour";
  return pause > life ? "a pause longer than the cache lives" : "within the cache's life";
}

/**
 * The cost of the input if entries had this lifetime, at the price of writing them. A pause longer than the
 * lifetime loses everything that was read; a shorter one returns the cost of the pause. Everything else stays the
 * same.
 */
function priceLives(
  link: Link | undefined,
  cause: InferredCause | undefined,
  tokens: Usage,
  profile: ModelProfile,
): CacheEffect["lives"] {
  const { cache, longCache } = profile;
  if (!longCache || tokens.cacheRead + tokens.cacheWrite === 0) return undefined;
  const wasLate = cause === "a pause longer than the cache lives" || cause === "a pause over an hour";
  const price = (ttl: number, write: number): number => {
    const { lost = 0, pause = 0 } = link ?? {};
    const isLate = pause > ttl;
    const shift = wasLate && !isLate ? lost : !wasLate && isLate ? -tokens.cacheRead : 0;
    const { cacheRead, cacheWrite } = tokens;
    // Lost text may have been plain input, after the last mark.
    const shifted = Math.min(shift, cacheWrite);
    const moved = { ...tokens, cacheRead: cacheRead + shifted, cacheWrite: cacheWrite - shifted };
    return priceInput(moved, { ...cache, write }) * dollarsPerToken(profile);
  };
  return {
    short: price(cache.ttl, cache.write),
    long: price(longCache.ttl, longCache.write),
    isLong: isLong(tokens),
  };
}
