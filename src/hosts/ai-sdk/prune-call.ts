import type { Conversations, Turn } from "../conversation/conversations.ts";
import { addSystemText } from "./add-system-text.ts";
import { type CallParams, readCall } from "./read-call.ts";

export interface PrunedCall {
  readonly prompt: readonly unknown[];
  readonly turn: Turn<unknown>;
}

/** What a language model of the AI SDK should be called with; `undefined`: as it was. */
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
  return { turn, prompt: request.agentTools ? addSystemText(turn.messages) : turn.messages };
}
