import { anthropicCountTokensWire, anthropicMessagesWire } from "./anthropic-messages.ts";
import { geminiWire } from "./gemini.ts";
import { openAiChatWire } from "./openai-chat.ts";
import { openAiResponsesWire } from "./openai-responses.ts";
import type { Wire } from "./wire.ts";

const WIRES: readonly Wire[] = [
  anthropicMessagesWire,
  anthropicCountTokensWire,
  openAiChatWire,
  openAiResponsesWire,
  geminiWire,
];

export function listWires(): readonly Wire[] {
  return WIRES;
}

/**
 * Finds the wire of a request by its path; no path belongs to two.
 *
 *   POST /api/v1/messages?beta=true                              ->  anthropic-messages
 *   POST /backend-api/codex/responses                            ->  openai-responses
 *   POST /v1beta/models/gemini-2.5-pro:streamGenerateContent     ->  gemini
 *   GET /v1/models, POST /v1/responses/compact                   ->  undefined: passed on as they are
 */
export function findWire(method: string, path: string): Wire | undefined {
  return WIRES.find((wire) => wire.match(method, path));
}
