import type { CachePrices } from "../models/profile.ts";

/**
 * A provider's prompt cache, as a value: `sendThrough` returns what a request reads and writes, and the cache after
 * it. Some providers cache every prefix of a request. Others keep entries only at the request's marks, and look for
 * an entry only a few blocks back from each mark.
 *
 * A place is a number of blocks, which are the parts of the messages before it. 0 is the end of the system prompt and the
 * tools.
 */
export interface PromptCache {
  /** The plain id of the model that wrote it; `undefined` before the first request. */
  readonly model: string | undefined;
  /** In the order of their places. */
  readonly entries: readonly CacheEntry[];
}

export interface CacheEntry {
  readonly blocks: number;
  /** All tokens before it, with system prompt and tools. */
  readonly tokens: number;
  /** When it was last written or read, in milliseconds; `undefined` if requests have no times. */
  readonly usedAt: number | undefined;
  readonly ttl: number;
}

/** A cache mark: the provider should cache the request's text up to this place. */
export interface PlacedMark {
  readonly blocks: number;
  readonly tokens: number;
  /** The requested lifetime in milliseconds, if it is longer than usual. */
  readonly ttl?: number | undefined;
}

/** The text that a request has in common with the start of the previous one. */
export interface Kept {
  /** Whole blocks; −1 if even the system prompt or the tools differ. */
  readonly blocks: number;
  readonly tokens: number;
}

/** The fields of a request that matter to a cache. */
export interface CachedRequest {
  /** The model's plain id. */
  readonly model: string;
  readonly prices: CachePrices;
  readonly time: number | undefined;
  /** When the previous request was sent again only to keep its entries, in milliseconds. */
  readonly warmedAt?: number | undefined;
  /** A pause after which entries were found in this session, in milliseconds: they live at least this long. */
  readonly provenLife?: number;
  /** `undefined` if it has all of the previous request, and its response. */
  readonly kept: Kept | undefined;
  /** The response to the previous request, if the provider has cached it too. */
  readonly answer?: { readonly blocks: number; readonly tokens: number } | undefined;
  readonly total: number;
  /** The number of its blocks. */
  readonly blocks: number;
  /** In the order of their places. Only for providers that cache at marks. */
  readonly marks: readonly PlacedMark[];
}

export const NO_CACHE_YET: PromptCache = { model: undefined, entries: [] };

/** A provider looks at this many places for each mark, the mark's own included. */
export const LOOK_BACK = 20;

/** The oldest entries are forgotten: no mark is near them. */
const ENTRIES_KEPT = 64;

/**
 * Entries often live longer than promised. At marks, only a little (in milliseconds): half of the recorded requests
 * that were up to half a minute late still found their entries, and none that were a minute late. No provider
 * promises how long automatic prefixes live: recorded ones were found after 12 minutes, and OpenAI mentions up to an
 * hour.
 */
const GRACE = 60_000;
const GRACE_SHARE = 0.2;
const LONGEST_AUTOMATIC = 3_600_000;

function graceOf({ marks }: CachePrices, ttl: number): number {
  return marks ? Math.min(GRACE, GRACE_SHARE * ttl) : Math.max(0, LONGEST_AUTOMATIC - ttl);
}

/** The fields that decide which entries a request can still read. */
type Reading = Pick<CachedRequest, "model" | "prices" | "time" | "warmedAt" | "kept" | "answer">;

/** The entries of the request's model, each extended by the response that was cached after it. */
function listOwn(
  { model, entries }: PromptCache,
  { model: own, prices, answer }: Reading,
): readonly CacheEntry[] {
  if (model !== own) return [];
  if (prices.marks || !answer) return entries;
  const { blocks, tokens } = answer;
  return entries.map((entry) => ({
    ...entry,
    blocks: entry.blocks + blocks,
    tokens: entry.tokens + tokens,
  }));
}

/**
 * The entries that have not expired; the same list if none has.
 *
 * @param isCareful includes entries that may just have expired
 */
function listAlive(
  entries: readonly CacheEntry[],
  { prices, time, warmedAt = Number.NEGATIVE_INFINITY }: Reading,
  provenLife: number,
  isCareful = false,
): readonly CacheEntry[] {
  if (time === undefined) return entries;
  const isAlive = ({ usedAt, ttl }: CacheEntry) => {
    if (usedAt === undefined) return true;
    const grace = isCareful ? graceOf(prices, ttl) : 0;
    return time - Math.max(usedAt, warmedAt) <= Math.max(ttl + grace, provenLife);
  };
  return entries.every(isAlive) ? entries : entries.filter(isAlive);
}

/** The entries that stay valid where text has changed. */
function listKept(entries: readonly CacheEntry[], { prices, kept }: Reading): readonly CacheEntry[] {
  if (!kept) return entries;
  if (prices.marks) return entries.filter(({ blocks }) => blocks <= kept.blocks);
  return entries.map((entry) => (entry.tokens <= kept.tokens ? entry : { ...entry, ...kept }));
}

/** Can a request with these marks find the entry? */
export function isInReach({ blocks }: CacheEntry, marks: readonly Pick<PlacedMark, "blocks">[]): boolean {
  return marks.some((mark) => blocks <= mark.blocks && mark.blocks - blocks < LOOK_BACK);
}

/** The longest of these entries that the request finds. */
function findRead(
  alive: readonly CacheEntry[],
  marks: readonly PlacedMark[],
  prices: CachePrices,
): CacheEntry | undefined {
  return alive.findLast(
    (entry) => cachedTokens(entry.tokens, prices) > 0 && (!prices.marks || isInReach(entry, marks)),
  );
}

/** The text that a request finds in the cache if nothing is cut. */
export interface CachedText {
  /** The parts before this one are read. */
  readonly blocks: number;
  readonly tokens: number;
  /** All entries that it can read, in the order of their places. Missing if every prefix is cached. */
  readonly entries?: readonly CacheEntry[];
}

/** A request before its cut is decided. */
export interface DecidedRequest extends Reading {
  readonly marks: readonly Pick<PlacedMark, "blocks">[];
  /** One more mark may be set, on any of the entries. */
  readonly mayMark: boolean;
}

/**
 * An entry that may just have expired counts as text that a cut would throw away, but not as text that can still be
 * read before the cut.
 *
 * @param provenLife as in `CachedRequest`
 */
export function findCached(cache: PromptCache, request: DecidedRequest, provenLife = 0): CachedText {
  const { prices, marks, mayMark } = request;
  const isFound = (entry: CacheEntry) =>
    cachedTokens(entry.tokens, prices) > 0 && (!prices.marks || mayMark || isInReach(entry, marks));
  const own = listKept(listOwn(cache, request), request);
  const { blocks = 0, tokens = 0 } = listAlive(own, request, provenLife, true).findLast(isFound) ?? {};
  if (!prices.marks) return { blocks, tokens };
  return { blocks, tokens, entries: listAlive(own, request, provenLife).filter(isFound) };
}

/**
 * The tokens that are read if the part at this place is the first that is cut. Only for providers that keep entries
 * at marks.
 */
export function readBefore(entries: readonly CacheEntry[], place: number): number {
  return entries.findLast(({ blocks }) => blocks <= place)?.tokens ?? 0;
}

/** The tokens that a provider reads of this many: a multiple of its unit, and 0 below its minimum. */
export function cachedTokens(tokens: number, { minimumPrefix, unit = 1 }: CachePrices): number {
  return tokens < minimumPrefix ? 0 : Math.floor(tokens / unit) * unit;
}

/** What one request reads and writes, and the cache after it. */
export interface CacheOutcome {
  readonly cache: PromptCache;
  /** Tokens read. */
  readonly read: number;
  /** Tokens that would have been read if no text of the previous request had changed. */
  readonly unchanged: number;
  /** Tokens that would have been read if no text of the previous request had changed. */
  readonly unexpired: number;
  /** Tokens up to the last mark. Tokens before it that were not read are written; tokens after it are plain input. */
  readonly marked: number;
}

export function sendThrough(cache: PromptCache, request: CachedRequest): CacheOutcome {
  const { model, prices, time, total, blocks, marks, kept } = request;
  const own = listOwn(cache, request);
  const unchanged = listAlive(own, request, request.provenLife ?? 0);
  const alive = listKept(unchanged, request);
  const find = (entries: readonly CacheEntry[]) => findRead(entries, marks, prices);
  const countRead = (entry: CacheEntry | undefined) => (entry ? cachedTokens(entry.tokens, prices) : 0);
  const found = find(alive);
  const whole = kept ? find(unchanged) : found;
  const lasting = found === own.at(-1) ? found : find(listKept(own, request));
  const read = Math.min(total, countRead(found));
  // A request without a time is no older than the previous one.
  const usedAt = time ?? cache.entries.at(-1)?.usedAt;
  const places: readonly PlacedMark[] = prices.marks ? marks : [{ blocks, tokens: total }];
  const entries = prices.marks ? [...alive] : [];
  if (found && prices.marks) putEntry(entries, found, found.ttl, usedAt);
  for (const place of places) putEntry(entries, place, Math.max(prices.ttl, place.ttl ?? 0), usedAt);
  return {
    cache: { model, entries: keepNewest(entries) },
    read,
    unchanged: countRead(whole),
    unexpired: Math.min(total, countRead(lasting)),
    marked: Math.max(read, places.at(-1)?.tokens ?? 0),
  };
}

/** Inserts an entry at its place, or refreshes the one that is there. */
function putEntry(
  entries: CacheEntry[],
  { blocks, tokens }: Kept,
  ttl: number,
  usedAt: number | undefined,
): void {
  const at = entries.findLastIndex((entry) => entry.blocks <= blocks);
  const before = entries[at];
  if (before?.blocks === blocks) entries[at] = { blocks, tokens, usedAt, ttl: Math.max(before.ttl, ttl) };
  else entries.splice(at + 1, 0, { blocks, tokens, usedAt, ttl });
}

/** The first entry stays too: all requests of the session begin with it. */
function keepNewest(entries: readonly CacheEntry[]): readonly CacheEntry[] {
  if (entries.length <= ENTRIES_KEPT) return entries;
  return [...entries.slice(0, 1), ...entries.slice(1 - ENTRIES_KEPT)];
}
