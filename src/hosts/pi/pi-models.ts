import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { ModelOverride, ReasoningRule } from "../../models/profile.ts";
import { toAmount, toPrices } from "../plugin/model-overrides.ts";

/** Converts pi's description of a model: its window, its prices, and how reasoning is sent. */
export function describeModel(model: JsonRecord): ModelOverride {
  const window = findWindow(model);
  const reasoning = findReasoning(model);
  return { ...(window !== undefined && { window }), ...findPrices(model), ...(reasoning && { reasoning }) };
}

/** The room that pi leaves free for its summary by default. In tokens. */
const RESERVED = 16_384;

/** How large a conversation may get before pi compacts it; `undefined` if the model's window is not known. */
function findWindow({ contextWindow }: JsonRecord): number | undefined {
  const window = toAmount(contextWindow);
  return window > RESERVED ? window - RESERVED : window || undefined;
}

function findPrices({ cost }: JsonRecord): ModelOverride {
  if (!isRecord(cost)) return {};
  const { input, cacheRead, cacheWrite } = cost;
  return toPrices({ input, cacheRead, cacheWrite });
}

/**
 * Chat Completions have a separate field for reasoning. Some providers require it, so it is kept for all of them.
 */
function findReasoning({ api, reasoning }: JsonRecord): ReasoningRule | undefined {
  if (api !== "openai-completions") return undefined;
  return reasoning === true ? "field" : "none";
}
