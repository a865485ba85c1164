import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { ModelOverride, ModelOverrides, ReasoningRule } from "../../models/profile.ts";

/**
 * What OpenCode says of the user's models, which goes over our tables: windows, prices, and how reasoning is sent. What
 * the user configured goes over both.
 */
export function overridesFrom(models: readonly JsonRecord[], configured: ModelOverrides): ModelOverrides {
  const { "*": everywhere, ...rest } = configured;
  const overrides: Record<string, ModelOverride> = {};
  for (const model of models) {
    if (typeof model.id !== "string" || model.id in overrides) continue;
    overrides[model.id] = { ...describeModel(model), ...everywhere };
  }
  return { ...(everywhere && { "*": everywhere }), ...overrides, ...rest };
}

function describeModel(model: JsonRecord): ModelOverride {
  const window = findWindow(model);
  const reasoning = findReasoning(model);
  return { ...(window !== undefined && { window }), ...findPrices(model), ...(reasoning && { reasoning }) };
}

/** OpenCode never asks for a longer answer, whatever the model's limit. In tokens. */
const LONGEST_ANSWER = 32_000;
/** What OpenCode keeps free where a model has a separate limit for input. In tokens. */
const RESERVED = 20_000;

/** How large a conversation may get before OpenCode compacts it; `undefined` if the model's limits are not known. */
function findWindow({ limit }: JsonRecord): number | undefined {
  if (!isRecord(limit)) return undefined;
  const context = toAmount(limit.context);
  const input = toAmount(limit.input);
  const answer = Math.min(toAmount(limit.output) || LONGEST_ANSWER, LONGEST_ANSWER);
  const usable = input > 0 ? input - Math.min(RESERVED, answer) : context - answer;
  return usable > 0 ? usable : context || undefined;
}

/** OpenCode gives dollars per million tokens, and zeros for a model without known prices. */
function findPrices({ cost }: JsonRecord): ModelOverride {
  const input = isRecord(cost) ? toAmount(cost.input) : 0;
  if (!isRecord(cost) || input === 0) return {};
  const cache = isRecord(cost.cache) ? cost.cache : {};
  const read = toAmount(cache.read) / input;
  const write = toAmount(cache.write) / input;
  return {
    dollarsPerMillion: input,
    ...(read > 0 && { read: Math.min(1, round(read)) }),
    ...(write > 0 && { write: Math.max(1, round(write)) }),
  };
}

/** This SDK sends reasoning in a separate field. Some providers require it, so it is kept for all of them. */
function findReasoning({ api, capabilities }: JsonRecord): ReasoningRule | undefined {
  if (!isRecord(api) || api.npm !== "@ai-sdk/openai-compatible" || !isRecord(capabilities)) return undefined;
  return isRecord(capabilities.interleaved) || capabilities.reasoning === true ? "field" : "none";
}

function toAmount(value: unknown): number {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? value : 0;
}

function round(ratio: number): number {
  return Math.round(ratio * 10_000) / 10_000;
}
