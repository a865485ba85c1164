import { SYSTEM_TEXT } from "../../agent/system-text.ts";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { countPrefix, stringIn } from "../../wires/read-body.ts";
import type { ConversationRequest } from "../conversation/conversations.ts";

/** The items of a request; a text is what a user says. */
export function readInput({ input }: JsonRecord): readonly unknown[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  if (Array.isArray(input)) return input;
  throw new Error("the input of a request is neither a text nor a list");
}

/** What the SDK knows of a request beside its items. */
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
    // A prompt that OpenAI keeps may have some.
    hasTools: tools.length > 0 || hasHandoffs || prompt != null,
    agentTools: theirs.length < tools.length,
    ...(ttl !== undefined && { ttl }),
  };
}

/** The request with these items. */
export function withItems(request: JsonRecord, items: readonly unknown[]): JsonRecord {
  const { input } = request;
  const [first] = items;
  // A text that nothing was done to stays a text.
  const isSame =
    items.length === 1 && isRecord(first) && typeof input === "string" && first.content === input;
  return isSame ? request : { ...request, input: [...items] };
}

/** The request with our text behind the agent's instructions. */
export function withSystemText(request: JsonRecord): JsonRecord {
  const { systemInstructions: instructions } = request;
  const systemInstructions =
    typeof instructions === "string" && instructions !== ""
      ? `${instructions}\n\n${SYSTEM_TEXT}`
      : SYSTEM_TEXT;
  return { ...request, systemInstructions };
}

/** Which field says that the history is on OpenAI's server, if one does. */
export function findHistoryOnServer(request: JsonRecord): string | undefined {
  return ["previousResponseId", "conversationId"].find((field) => request[field] != null);
}

/** OpenAI's own models keep their name, others may too. */
export function readModelName(model: unknown): string | undefined {
  return stringIn(model, "_model") ?? stringIn(model, "model");
}

const MINUTE = 60_000;

/** How long the prefix is to be kept, in milliseconds, where it says. */
function readTtl(settings: unknown): number | undefined {
  if (!isRecord(settings)) return undefined;
  const { promptCacheRetention, promptCacheOptions } = settings;
  if (promptCacheRetention === "24h") return 24 * 60 * MINUTE;
  return isRecord(promptCacheOptions) && promptCacheOptions.ttl === "30m" ? 30 * MINUTE : undefined;
}
