import type { ModelOverride, ModelOverrides } from "../../models/profile.ts";

/** The host's data on models overrides our tables, and the user's configuration overrides both. */
export function overridesFrom(
  models: readonly (readonly [id: string, model: ModelOverride])[],
  configured: ModelOverrides,
): ModelOverrides {
  const { "*": everywhere, ...rest } = configured;
  const overrides: Record<string, ModelOverride> = {};
  for (const [id, model] of models) if (!(id in overrides)) overrides[id] = { ...model, ...everywhere };
  return { ...(everywhere && { "*": everywhere }), ...overrides, ...rest };
}

/** Prices as hosts give them, in dollars per million tokens. */
export interface HostPrices {
  readonly input: unknown;
  readonly cacheRead: unknown;
  readonly cacheWrite: unknown;
}

/** Hosts use zeros for models without known prices. */
export function toPrices(prices: HostPrices): ModelOverride {
  const input = toAmount(prices.input);
  if (input === 0) return {};
  const read = toAmount(prices.cacheRead) / input;
  const write = toAmount(prices.cacheWrite) / input;
  return {
    dollarsPerMillion: input,
    ...(read > 0 && { read: Math.min(1, round(read)) }),
    ...(write > 0 && { write: Math.max(1, round(write)) }),
  };
}

export function toAmount(value: unknown): number {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? value : 0;
}

function round(ratio: number): number {
  return Math.round(ratio * 10_000) / 10_000;
}
