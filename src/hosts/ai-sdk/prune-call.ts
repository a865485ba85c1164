import { isRecord } from "../../basics/json.ts";
import type { Conversations, PrunedRequest } from "../conversation/conversations.ts";
import { addSystemText } from "./add-system-text.ts";
import { type CallParams, readCall } from "./read-call.ts";

export interface PrunedCall {
  readonly prompt: readonly unknown[];
  readonly turn: PrunedRequest<unknown>;
}

/** The call to make instead of this one, with pruned messages; `undefined`: unchanged. */
export async function pruneCall(
  conversations: Conversations,
  params: CallParams,
  model: string,
): Promise<PrunedCall | undefined> {
  const { historyOnServer, ...request } = readCall(params, conversations.tools);
  if (historyOnServer !== undefined) {
    conversations.leaveAlone(historyOnServer);
    return undefined;
  }
  const turn = await conversations.prune(params.prompt, { ...request, format: "ai-sdk", model });
  const prompt = setMark(turn, request.ttl);
  return { turn, prompt: request.agentTools ? addSystemText(prompt) : prompt };
}

/**
 * The messages with the cache mark that Coppice wants, if any. A mark on a whole message applies to its last part.
 */
function setMark(
  { messages, sources, report }: PrunedRequest<unknown>,
  ttl: number | undefined,
): readonly unknown[] {
  const at = report.mark === undefined ? -1 : sources.lastIndexOf(report.mark);
  const message = messages[at];
  if (!isRecord(message)) return messages;
  const options = isRecord(message.providerOptions) ? message.providerOptions : {};
  const anthropic = isRecord(options.anthropic) ? options.anthropic : {};
  const cacheControl = { type: "ephemeral", ...(ttl !== undefined && { ttl: "1h" }) };
  const providerOptions = { ...options, anthropic: { ...anthropic, cacheControl } };
  return messages.with(at, { ...message, providerOptions });
}
