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
  readonly ttl?: number;
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
 * half a minute late still found theirs, and none that came a minute late. Nobody promises how long automatic prefixes live.
 */
const GRACE = 60_000;
const GRACE_SHARE = 0.2;

function graceOf({ marks }: CachePrices, ttl: number): number {
  return marks ? Math.min(GRACE, GRACE_SHARE * ttl) : ttl;
}

/**
 * The entries that this request may still read: its model's, not expired, of text that has not changed.
 *
 * @param isCareful also those that may just have expired
 */
export function listAlive(
  { model, entries }: PromptCache,
  request: Pick<CachedRequest, "model" | "prices" | "time" | "warmedAt" | "kept" | "answer" | "provenLife">,
  isCareful = false,
): readonly CacheEntry[] {
  const { prices, time, kept, answer, warmedAt = Number.NEGATIVE_INFINITY, provenLife = 0 } = request;
  if (model !== request.model) return [];
  const isAlive = ({ usedAt, ttl }: CacheEntry) => {
    if (time === undefined || usedAt === undefined) return true;
    const grace = isCareful ? graceOf(prices, ttl) : 0;
    return time - Math.max(usedAt, warmedAt) <= Math.max(ttl + grace, provenLife);
  };
  const alive = entries.filter(isAlive);
  if (prices.marks) return kept ? alive.filter(({ blocks }) => blocks <= kept.blocks) : alive;
  const { blocks, tokens } = answer ?? { blocks: 0, tokens: 0 };
  return alive
    .map((entry) => ({ ...entry, blocks: entry.blocks + blocks, tokens: entry.tokens + tokens }))
    .map((entry) => (kept ? { ...entry, ...leastOf(entry, kept) } : entry));
}

function leastOf(entry: Kept, kept: Kept): Kept {
  return entry.tokens <= kept.tokens ? { blocks: entry.blocks, tokens: entry.tokens } : kept;
}

/** Can a request with these marks find the entry? */
export function isInReach({ blocks }: CacheEntry, marks: readonly Pick<PlacedMark, "blocks">[]): boolean {
  return marks.some((mark) => blocks <= mark.blocks && mark.blocks - blocks < LOOK_BACK);
}

/** The longest of these entries that the request finds. */
export function findRead(
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
export interface DecidedRequest
  extends Pick<CachedRequest, "model" | "prices" | "time" | "warmedAt" | "kept" | "answer" | "provenLife"> {
  readonly marks: readonly Pick<PlacedMark, "blocks">[];
  /** One more mark may be set, on any of the entries. */
  readonly mayMark: boolean;
}

/**
 * An entry that may just have expired counts for what a cut would throw away, but not for what is left to read in front
 * of the cut.
 */
export function findCached(cache: PromptCache, request: DecidedRequest): CachedText {
  const { prices, marks, mayMark } = request;
  const list = (isCareful: boolean) =>
    listAlive(cache, request, isCareful).filter(
      (entry) =>
        cachedTokens(entry.tokens, prices) > 0 && (!prices.marks || mayMark || isInReach(entry, marks)),
    );
  const { blocks = 0, tokens = 0 } = list(true).at(-1) ?? {};
  return { blocks, tokens, ...(prices.marks && { entries: list(false) }) };
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
  const alive = listAlive(cache, request);
  const found = findRead(alive, marks, prices);
  const whole = kept ? findRead(listAlive(cache, { ...request, kept: undefined }), marks, prices) : found;
  const hasExpired = alive.length < cache.entries.length;
  const lasting = hasExpired
    ? findRead(listAlive(cache, { ...request, time: undefined }), marks, prices)
    : found;
  const countRead = (entry: CacheEntry | undefined) => (entry ? cachedTokens(entry.tokens, prices) : 0);
  const read = Math.min(total, countRead(found));
  const written = prices.marks ? marks : [{ blocks, tokens: total }];
  // Without a time it is no older than the one before.
  const usedAt = time ?? cache.entries.at(-1)?.usedAt;
  const used = found ? [{ ...found, usedAt }] : [];
  const fresh = written.map((mark) => ({
    blocks: mark.blocks,
    tokens: mark.tokens,
    usedAt,
    ttl: Math.max(prices.ttl, mark.ttl ?? 0),
  }));
  const marked = prices.marks ? (marks.at(-1)?.tokens ?? 0) : total;
  const entries = prices.marks ? mergeEntries(alive, [...used, ...fresh]) : fresh;
  return {
    cache: { model, entries },
    read,
    unchanged: countRead(whole),
    unexpired: Math.min(total, countRead(lasting)),
    marked: Math.max(read, marked),
  };
}

/** The newer ones replace those at the same places. */
function mergeEntries(older: readonly CacheEntry[], newer: readonly CacheEntry[]): readonly CacheEntry[] {
  const byPlace = new Map<number, CacheEntry>();
  for (const entry of [...older, ...newer]) {
    const before = byPlace.get(entry.blocks);
    byPlace.set(entry.blocks, before ? { ...entry, ttl: Math.max(before.ttl, entry.ttl) } : entry);
  }
  const merged = [...byPlace.values()].sort((a, b) => a.blocks - b.blocks);
  // The first is what all requests of the session begin with.
  return merged.length <= ENTRIES_KEPT ? merged : [...merged.slice(0, 1), ...merged.slice(1 - ENTRIES_KEPT)];
}
