import type { CachePrices } from "../models/profile.ts";

/**
 * The prompt cache as a provider keeps it, as a value: `sendThrough` gives what a request reads and writes, and the cache
 * after it. Some providers cache every prefix of a request. Others keep entries only where the request has a mark, and
 * look for an entry only a few blocks back from each mark.
 *
 * A place is a number of blocks: of the parts of the messages that stand before it. 0 is the end of the system prompt and
 * the tools.
 */
export interface PromptCache {
  /** The model that has written it, by its plain id; `undefined` before the first request. */
  readonly model: string | undefined;
  /** In the order of their places. */
  readonly entries: readonly CacheEntry[];
}

export interface CacheEntry {
  readonly blocks: number;
  /** All tokens before it, with system prompt and tools. */
  readonly tokens: number;
  /** When it was last written or read, in milliseconds; `undefined` where requests have no times. */
  readonly usedAt: number | undefined;
  readonly ttl: number;
}

/** A place up to which a request asks for its text to be cached. */
export interface PlacedMark {
  readonly blocks: number;
  readonly tokens: number;
  /** Where it asks for longer than usual, in milliseconds. */
  readonly ttl?: number | undefined;
}

/** The text that a request has in common with the start of the one before it. */
export interface Kept {
  /** Whole blocks; −1: not even system prompt and tools are the same. */
  readonly blocks: number;
  readonly tokens: number;
}

/** A request, as far as a cache looks at it. */
export interface CachedRequest {
  /** By its plain id. */
  readonly model: string;
  readonly prices: CachePrices;
  readonly time: number | undefined;
  /** When the request before was sent again only to keep its entries, in milliseconds. */
  readonly warmedAt?: number | undefined;
  /** A pause after which entries were found in this session, in milliseconds: they live at least as long. */
  readonly provenLife?: number;
  /** `undefined`: all of the request before, and its answer. */
  readonly kept: Kept | undefined;
  /** The answer to the request before, where the provider has cached it too. */
  readonly answer?: { readonly blocks: number; readonly tokens: number } | undefined;
  readonly total: number;
  /** All its blocks. */
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
 * Entries often live longer than promised. At marks a little, in milliseconds: half of the recorded requests that came up to
 * half a minute late still found theirs, and none that came a minute late. How long automatic prefixes live nobody promises:
 * recorded ones were found after 12 minutes, and OpenAI speaks of up to an hour.
 */
const GRACE = 60_000;
const GRACE_SHARE = 0.2;
const LONGEST_AUTOMATIC = 3_600_000;

function graceOf({ marks }: CachePrices, ttl: number): number {
  return marks ? Math.min(GRACE, GRACE_SHARE * ttl) : Math.max(0, LONGEST_AUTOMATIC - ttl);
}

/** What tells which entries a request may still read. */
type Reading = Pick<CachedRequest, "model" | "prices" | "time" | "warmedAt" | "kept" | "answer">;

/** The entries of the request's model, each with the answer that was cached behind it. */
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
 * Those that have not expired: the same list where that is all.
 *
 * @param isCareful also those that may just have expired
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

/** What is left of them where text has changed. */
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

/** What a request finds in the cache if nothing of it is cut. */
export interface CachedText {
  /** The parts before this one are read. */
  readonly blocks: number;
  readonly tokens: number;
  /** All entries that it can read, in the order of their places; where every prefix is cached, none are listed. */
  readonly entries?: readonly CacheEntry[];
}

/** A request of which a cut is to be decided. */
export interface DecidedRequest extends Reading {
  readonly marks: readonly Pick<PlacedMark, "blocks">[];
  /** One more mark may be set, on any of the entries. */
  readonly mayMark: boolean;
}

/**
 * An entry that may just have expired counts for what a cut would throw away, but not for what is left to read in front
 * of the cut.
 *
 * @param provenLife as of `CachedRequest`
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

/** How many tokens are read if the part at this place is the first that is cut; where entries are kept at marks. */
export function readBefore(entries: readonly CacheEntry[], place: number): number {
  return entries.findLast(({ blocks }) => blocks <= place)?.tokens ?? 0;
}

/** How many tokens a provider reads where it has so many: a whole number of its units, from its minimum on. */
export function cachedTokens(tokens: number, { minimumPrefix, unit = 1 }: CachePrices): number {
  return tokens < minimumPrefix ? 0 : Math.floor(tokens / unit) * unit;
}

/** What one request reads and writes, and the cache after it. */
export interface CacheOutcome {
  readonly cache: PromptCache;
  /** Tokens read. */
  readonly read: number;
  /** Tokens that would have been read if no text of the request before had changed. */
  readonly unchanged: number;
  /** Tokens that would have been read if nothing had expired. */
  readonly unexpired: number;
  /** Tokens up to the last mark. What follows is plain input, and what was not read before it is written. */
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
  // Without a time it is no older than the one before.
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

/** Puts an entry in its place; one that is there is used again. */
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

/** The first is what all requests of the session begin with. */
function keepNewest(entries: readonly CacheEntry[]): readonly CacheEntry[] {
  if (entries.length <= ENTRIES_KEPT) return entries;
  return [...entries.slice(0, 1), ...entries.slice(1 - ENTRIES_KEPT)];
}
