import { isRecord } from "../../basics/json.ts";
import type { Usage } from "../../transcript/message.ts";

/**
 * Reads the usage that a model of the AI SDK reports.
 *
 *   { inputTokens: { total, noCache, cacheRead, cacheWrite }, outputTokens: { total } }    V3, V4
 *   { inputTokens, outputTokens, cachedInputTokens }                                        V2
 *
 * `undefined` if it is not known.
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

/** V2 models for Anthropic's interface count cached tokens separately; all others include them. */
function withoutCached(total: number, cached: number): number {
  return cached > total ? total : total - cached;
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
