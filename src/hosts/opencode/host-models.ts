import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { ModelOverride, ReasoningRule } from "../../models/profile.ts";
import { toAmount, toPrices } from "../plugin/model-overrides.ts";

/** Converts OpenCode's description of a model: its window, its prices, and how reasoning is sent. */
export function describeModel(model: JsonRecord): ModelOverride {
  const window = findWindow(model);
  const reasoning = findReasoning(model);
  return { ...(window !== undefined && { window }), ...findPrices(model), ...(reasoning && { reasoning }) };
}

/** OpenCode never requests a longer answer, whatever the model's limit. In tokens. */
const LONGEST_ANSWER = 32_000;
/** The room that OpenCode leaves free if a model has a separate limit for input. In tokens. */
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

function findPrices({ cost }: JsonRecord): ModelOverride {
  if (!isRecord(cost)) return {};
  const { read, write } = isRecord(cost.cache) ? cost.cache : {};
  return toPrices({ input: cost.input, cacheRead: read, cacheWrite: write });
}

/** This SDK sends reasoning in a separate field. Some providers require it, so it is kept for all of them. */
function findReasoning({ api, capabilities }: JsonRecord): ReasoningRule | undefined {
  if (!isRecord(api) || api.npm !== "@ai-sdk/openai-compatible" || !isRecord(capabilities)) return undefined;
  return isRecord(capabilities.interleaved) || capabilities.reasoning === true ? "field" : "none";
}
