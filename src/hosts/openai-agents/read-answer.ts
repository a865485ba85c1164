import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { openAiAgents } from "../../formats/openai-agents/openai-agents.ts";
import { toCount, toUsage } from "../../formats/usage.ts";
import type { Usage } from "../../transcript/message.ts";
import { stringIn } from "../../wires/read-body.ts";
import type { PrunedRequest } from "../conversation/conversations.ts";

type Answer = Parameters<PrunedRequest<unknown>["answered"]>[0];

/** Reads a `ModelResponse`, or the response of a `response_done` event. */
export function readAnswer(response: unknown): Answer {
  if (!isRecord(response)) return {};
  const items: readonly unknown[] = Array.isArray(response.output) ? response.output : [];
  const usage = isRecord(response.usage) ? readUsage(response.usage) : undefined;
  const model = stringIn(response.providerData, "model");
  return {
    calls: items
      .flatMap((item) => openAiAgents.decode(item).parts)
      .flatMap((part) => (part.kind === "call" ? [part.callId] : [])),
    ...(usage && { usage }),
    ...(model !== undefined && { model }),
  };
}

/** The SDK's `inputTokens` include cached ones. The details are a record, or one record for each request. */
function readUsage({ inputTokens, outputTokens, inputTokensDetails }: JsonRecord): Usage | undefined {
  const list: readonly unknown[] = Array.isArray(inputTokensDetails)
    ? inputTokensDetails
    : [inputTokensDetails];
  const sum = (field: string) =>
    list.reduce<number>((total, each) => total + (isRecord(each) ? toCount(each[field]) : 0), 0);
  const cacheRead = sum("cached_tokens");
  const cacheWrite = sum("cache_write_tokens");
  const input = toCount(toCount(inputTokens) - cacheRead - cacheWrite);
  return toUsage({ input, cacheRead, cacheWrite, output: outputTokens });
}
