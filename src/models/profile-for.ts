import { remember } from "../basics/remember.ts";
import { compileGlobs } from "../expressions/globs.ts";
import { FAMILIES, type Family, UNKNOWN_FAMILY } from "./families.ts";
import { bareModelId, dashed, hasLongContext, plainModelId, spellings, versionOf } from "./model-id.ts";
import { findPrice, type ListPrice } from "./prices.ts";
import type { CachePrices, ModelOverride, ModelOverrides, ModelProfile } from "./profile.ts";

const LONG_CONTEXT = 1_000_000;
/** Used if the library has no price: that of Claude models. */
const OUTPUT = 5;

const listed = new Map<string, ModelProfile>();
const listedUnder = remember((_: ModelOverrides) => new Map<string, ModelProfile>());

/**
 * All data on a model, under any of its names. The same arguments return the same object.
 *
 *   profileFor("us.anthropic.claude-sonnet-4-5-20250929-v1:0").cache.write       // 1.25
 *   profileFor("gpt-5.4", { "gpt-*": { read: 0.05 } }).cache.read                // 0.05
 *   profileFor("house-model").known                                             // false: Anthropic's row
 *
 * `known` is false if no price list has such a model. Then its family (a new Claude) or the default row is used,
 * the window is an assumption, and there are no dollars. `cacheKnown` is false if no list has a price for cached
 * text: then the family's price is used, or, if plain input has a price, that price.
 */
export function profileFor(model: string | undefined, overrides?: ModelOverrides): ModelProfile {
  const id = model ?? "";
  const profile = find(listed, id, () => createProfile(id));
  if (overrides === undefined) return profile;
  return find(listedUnder(overrides), id, () => override(profile, overridesFor(id, overrides)));
}

/**
 * As `profileFor`, but with the window and the prices of the model `priced`, if given: for a name that only a gateway
 * knows. The rules for reasoning and the order of messages are still those of `model`.
 */
export function profilePricedAs(
  model: string | undefined,
  priced: string | null,
  overrides?: ModelOverrides,
): ModelProfile {
  if (priced === null) return profileFor(model, overrides);
  const { window, dollarsPerMillion, cache, output, longCache, longContext, known, cacheKnown, ...rest } =
    profileFor(priced, overrides);
  const {
    id,
    plainId,
    reasoning,
    userAfterResult,
    callAfterResponse,
    tokenizer,
    tokensPerEstimate,
    cachesAnswers,
  } = model === undefined ? rest : profileFor(model, overrides);
  const dollars = dollarsPerMillion === undefined ? {} : { dollarsPerMillion };
  const long = longCache ? { longCache } : {};
  return {
    id,
    plainId,
    window,
    ...dollars,
    cache,
    output,
    ...long,
    ...(longContext && { longContext }),
    ...(cachesAnswers && { cachesAnswers }),
    tokensPerEstimate,
    tokenizer,
    reasoning,
    userAfterResult,
    callAfterResponse,
    known,
    cacheKnown,
  };
}

/** The profile for a request that asks for this cache lifetime, in milliseconds. */
export function profileCachedFor(profile: ModelProfile, ttl: number | undefined): ModelProfile {
  const { cache, longCache } = profile;
  if (ttl === undefined || !longCache || ttl <= cache.ttl) return profile;
  return {
    ...profile,
    cache: { ...cache, ttl: longCache.ttl, write: Math.max(cache.write, longCache.write) },
  };
}

function find(profiles: Map<string, ModelProfile>, id: string, create: () => ModelProfile): ModelProfile {
  const known = profiles.get(id);
  if (known) return known;
  const profile = create();
  profiles.set(id, profile);
  return profile;
}

function createProfile(model: string): ModelProfile {
  const id = bareModelId(model);
  const family = findFamily(id);
  const price = id === "" ? undefined : findPrice(spellings(id));
  const window = family.instead?.window ?? price?.window ?? family.window;
  return {
    id: model,
    plainId: plainModelId(model),
    window: hasLongContext(model) ? Math.max(window, LONG_CONTEXT) : window,
    ...(price?.input !== undefined && { dollarsPerMillion: price.input }),
    cache: cachePrices(family, price),
    output: price?.input && price.output !== undefined ? ratio(price.output, price.input) : OUTPUT,
    ...(family.longCache && { longCache: family.longCache }),
    ...longContext(price),
    ...(family.cachesAnswers && { cachesAnswers: family.cachesAnswers }),
    tokensPerEstimate: family.tokensPerEstimate,
    tokenizer: family.tokenizer,
    reasoning: family.reasoning,
    userAfterResult: family.userAfterResult ?? true,
    callAfterResponse: family.callAfterResponse ?? true,
    known: price !== undefined,
    cacheKnown: family.instead !== undefined || (!!price?.input && price.read !== undefined),
  };
}

function override(profile: ModelProfile, replaced: ModelOverride): ModelProfile {
  const { cache } = profile;
  const {
    write = cache.write,
    read = cache.read,
    ttl = cache.ttl,
    minimumPrefix = cache.minimumPrefix,
    ...rest
  } = replaced;
  const cacheKnown = profile.cacheKnown || replaced.read !== undefined;
  return { ...profile, ...rest, cache: { ...cache, write, read, ttl, minimumPrefix }, cacheKnown };
}

function findFamily(bareId: string): Family {
  const id = dashed(bareId);
  const version = versionOf(id);
  return FAMILIES.find((row) => row.ids.test(id) && version >= (row.since ?? 0)) ?? UNKNOWN_FAMILY;
}

function cachePrices(family: Family, price: ListPrice | undefined): CachePrices {
  // free and unknown models have no price to compare with
  if (!price?.input) return family.cache;
  const { input, write = input, read = input } = price;
  return {
    ...family.cache,
    // OpenRouter lists Google's storage fee as a write price: writing never costs less than plain input
    write: family.writesFree ? 1 : Math.max(1, ratio(write, input)),
    read: family.instead?.read ?? Math.min(1, ratio(read, input)),
  };
}

function longContext(price: ListPrice | undefined): Pick<ModelProfile, "longContext"> {
  if (!price?.input || !price.output || !price.long) return {};
  const { above, input, output } = price.long;
  return {
    longContext: {
      above,
      input: ratio(input, price.input),
      output: ratio(output, price.output),
    },
  };
}

function ratio(price: number, input: number): number {
  return Math.round((price / input) * 10_000) / 10_000;
}

/** Merges all overrides that match: `*` first, then in the order written; later ones win. */
function overridesFor(model: string, overrides: ModelOverrides): ModelOverride {
  const names = [model, bareModelId(model)];
  let merged = overrides["*"] ?? {};
  for (const [glob, override] of Object.entries(overrides))
    if (glob !== "*" && matches(glob, names)) merged = { ...merged, ...override };
  return merged;
}

/** An id matches itself even if it would mean something else as a glob: `claude-sonnet-4-5[1m]`. */
function matches(glob: string, names: readonly string[]): boolean {
  if (names.includes(glob)) return true;
  const isMatch = compileGlobs([glob], { nocase: true, bash: true, windows: false });
  return names.some((name) => isMatch(name));
}
