import { isRecord } from "../../basics/json.ts";
import type { Usage } from "../../transcript/message.ts";

/**
 * What an answer cost, as the AI SDK's models say it.
 *
 *   { inputTokens: { total, noCache, cacheRead, cacheWrite }, outputTokens: { total } }    V3, V4
 *   { inputTokens, outputTokens, cachedInputTokens }                                        V2
 *
 * `undefined` where it is not known.
 */
export function readUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const { inputTokens, outputTokens } = usage;
  const input = isRecord(inputTokens)
    ? inputTokens
    : { total: inputTokens, cacheRead: usage.cachedInputTokens, cacheWrite: usage.cacheCreationInputTokens };
  const total = count(input.total);
  const cacheRead = count(input.cacheRead) ?? 0;
  const cacheWrite = count(input.cacheWrite) ?? 0;
  const plain =
    count(input.noCache) ?? (total === undefined ? undefined : withoutCached(total, cacheRead + cacheWrite));
  if (plain === undefined) return undefined;
  const output = count(isRecord(outputTokens) ? outputTokens.total : outputTokens) ?? 0;
  return { input: plain, cacheRead, cacheWrite, output };
}

/** Models for Anthropic's interface of V2 count what is cached beside the input, all others as a part of it. */
function withoutCached(total: number, cached: number): number {
  return cached > total ? total : total - cached;
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
