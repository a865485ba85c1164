import { SYSTEM_TEXT } from "../../agent/system-text.ts";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { countPrefix, stringIn } from "../../wires/read-body.ts";
import type { ConversationRequest } from "../conversation/conversations.ts";

/** The items of a request; a string is a user message. */
export function readInput({ input }: JsonRecord): readonly unknown[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  if (Array.isArray(input)) return input;
  throw new Error("the input of a request is neither a string nor an array");
}

/** Reads the SDK's request other than its items. */
export function readModelRequest(
  { tools: listed, systemInstructions, handoffs, prompt, outputType, modelSettings }: JsonRecord,
  ours: readonly { readonly name: string }[],
): ConversationRequest {
  const tools: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const theirs = tools.filter((tool) => !ours.some(({ name }) => isRecord(tool) && tool.name === name));
  const hasHandoffs = Array.isArray(handoffs) && handoffs.length > 0;
  const ttl = readTtl(modelSettings);
  return {
    format: "openai-agents",
    prefixTokens: countPrefix(
      systemInstructions,
      theirs,
      handoffs,
      isRecord(outputType) ? outputType : undefined,
    ),
    // A prompt that OpenAI stores may have tools.
    hasTools: tools.length > 0 || hasHandoffs || prompt != null,
    agentTools: theirs.length < tools.length,
    ...(ttl !== undefined && { ttl }),
  };
}

/** The request with these items. */
export function withItems(request: JsonRecord, items: readonly unknown[]): JsonRecord {
  const { input } = request;
  const [first] = items;
  // A string that was not changed stays a string.
  const isSame =
    items.length === 1 && isRecord(first) && typeof input === "string" && first.content === input;
  return isSame ? request : { ...request, input: [...items] };
}

/** The request with our text after the agent's instructions. */
export function withSystemText(request: JsonRecord): JsonRecord {
  const { systemInstructions: instructions } = request;
  const systemInstructions =
    typeof instructions === "string" && instructions !== ""
      ? `${instructions}\n\n${SYSTEM_TEXT}`
      : SYSTEM_TEXT;
  return { ...request, systemInstructions };
}

/** The field that keeps the history on OpenAI's server, if one does. */
export function findHistoryOnServer(request: JsonRecord): string | undefined {
  return ["previousResponseId", "conversationId"].find((field) => request[field] != null);
}

/** OpenAI's own models store their name, and other models may do so too. */
export function readModelName(model: unknown): string | undefined {
  return stringIn(model, "_model") ?? stringIn(model, "model");
}

const MINUTE = 60_000;

/** How long to keep the prefix cached, in milliseconds, if the settings say so. */
function readTtl(settings: unknown): number | undefined {
  if (!isRecord(settings)) return undefined;
  const { promptCacheRetention, promptCacheOptions } = settings;
  if (promptCacheRetention === "24h") return 24 * 60 * MINUTE;
  return isRecord(promptCacheOptions) && promptCacheOptions.ttl === "30m" ? 30 * MINUTE : undefined;
}
