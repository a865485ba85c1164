import { calcPrice, findProvider, type ModelInfo, type ModelPrice } from "@pydantic/genai-prices";
import { dashed, versionOf } from "./model-id.ts";

/** The price library's data on a model: US dollars per million tokens, and the window. */
export interface ListPrice {
  readonly input?: number;
  readonly write?: number;
  readonly read?: number;
  readonly output?: number;
  readonly window?: number;
  /** These prices apply to the whole request if it has more than `above` input tokens. */
  readonly long?: { readonly above: number; readonly input: number; readonly output: number };
}

/**
 * The day of the prices, so that they are the same on every machine and day; it changes with the library's version.
 * Noon, because DeepSeek is more expensive in the morning.
 */
const PRICE_DATE = new Date("2026-11-16T12:00:00Z");

const MYTHOS = { input: 10, write: 12.5, output: 50, window: 1_000_000 } as const;

/** The makers' own price lists, for models that the library does not have yet. A test fails when it has one. */
export const MISSING: ReadonlyMap<string, ListPrice> = new Map<string, ListPrice>([
  ["claude-mythos-5", { ...MYTHOS, read: 1 }],
  ["claude-mythos-5-1", { ...MYTHOS, read: 0.25 }],
  ["claude-sonnet-5-5", { input: 2, write: 2.5, read: 0.1, output: 10, window: 1_000_000 }],
  [
    "claude-haiku-5-5",
    {
      input: 0.1,
      write: 0.125,
      read: 0.01,
      output: 0.5,
      window: 1_000_000,
      long: { above: 100_000, input: 0.5, output: 2.5 },
    },
  ],
]);

/** The maker's own price, or else OpenRouter's. Never uses the network. */
export function findPrice(ids: readonly string[]): ListPrice | undefined {
  return findMissing(ids) ?? findListed(ids);
}

function findMissing(ids: readonly string[]): ListPrice | undefined {
  return ids.map((id) => MISSING.get(id)).find((price) => price !== undefined);
}

/** The library's own data. */
export function findListed(ids: readonly string[]): ListPrice | undefined {
  for (const id of ids) {
    const found = calcPrice({}, id, { timestamp: PRICE_DATE });
    if (found && !isOlder(found.model.id, id)) return toListPrice(found.model, found.model_price);
  }
  const resold = findProvider({ providerId: "openrouter" });
  for (const id of ids) {
    const model = resold?.models.find((each) => each.id.slice(each.id.lastIndexOf("/") + 1) === id);
    const found = resold && model && calcPrice({}, model.id, { provider: resold, timestamp: PRICE_DATE });
    if (found) return toListPrice(found.model, found.model_price);
  }
  return undefined;
}

/** The library matches `claude-sonnet-5-5` to `claude-sonnet-5`, because the names begin alike. */
function isOlder(found: string, id: string): boolean {
  const version = versionOf(dashed(found));
  return version > 0 && version < versionOf(dashed(id));
}

function toListPrice(model: ModelInfo, price: ModelPrice): ListPrice {
  const input = baseTier(price.input_mtok);
  const write = baseTier(price.cache_write_mtok);
  const read = baseTier(price.cache_read_mtok);
  const output = baseTier(price.output_mtok);
  return {
    ...(input !== undefined && { input }),
    ...(write !== undefined && { write }),
    ...(read !== undefined && { read }),
    ...(output !== undefined && { output }),
    ...(model.context_window !== undefined && { window: model.context_window }),
    ...longTier(price),
  };
}

function longTier({ input_mtok: input, output_mtok: output }: ModelPrice): Pick<ListPrice, "long"> {
  const tier = typeof input === "object" ? input.tiers[0] : undefined;
  const longOutput = typeof output === "object" ? output.tiers[0]?.price : output;
  return tier && longOutput !== undefined
    ? { long: { above: tier.start, input: tier.price, output: longOutput } }
    : {};
}

/** The price of short contexts. Some models charge more for long ones, and their cache prices rise in proportion. */
function baseTier(price: ModelPrice[string]): number | undefined {
  return typeof price === "object" ? price.base : price;
}
