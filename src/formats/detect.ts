import { aiSdk } from "./ai-sdk/ai-sdk.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import type { Format, FormatName } from "./format.ts";
import { gemini } from "./gemini/gemini.ts";
import { langChain } from "./langchain/langchain.ts";
import { openAiAgents } from "./openai-agents/openai-agents.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";
import { openCode } from "./opencode/opencode.ts";
import { pi } from "./pi/pi.ts";

/** Of two with the same score the first is taken, so `openai-chat`, which fits anyone's plain messages, is last. */
const FORMATS: readonly Format[] = [
  openCode,
  pi,
  aiSdk,
  gemini,
  langChain,
  openAiResponses,
  openAiAgents,
  anthropicMessages,
  openAiChat,
];

export const FORMAT_NAMES: readonly FormatName[] = FORMATS.map(({ name }) => name);

/**
 * Which format are these messages of?
 *
 *   { info, parts }                                 ->  opencode
 *   { role, content: [{ type: "tool_use", … }] }    ->  anthropic-messages
 *   { type: "function_call", … }                    ->  openai-responses
 *   { role, content: [{ type: "tool-call", … }] }   ->  ai-sdk
 *   { role: "model", parts: [{ functionCall: … }] } ->  gemini
 *   new AIMessage(…), a BaseMessage of LangChain    ->  langchain
 *   { type: "function_call", callId, … }            ->  openai-agents
 *   { role: "toolResult", … }                       ->  pi
 *   { role, content: "text" }                       ->  openai-chat: plain messages fit it
 *   [], or mostly something else                    ->  undefined
 */
export function detectFormat(messages: readonly unknown[]): FormatName | undefined {
  let best = { name: undefined as FormatName | undefined, score: 0 };
  for (const { name, detect } of FORMATS) {
    const score = detect(messages);
    if (score > best.score) best = { name, score };
  }
  return best.name;
}

export function formatByName(name: FormatName): Format {
  const format = FORMATS.find((candidate) => candidate.name === name);
  if (format === undefined) throw new RangeError(`No format "${name}": use ${FORMAT_NAMES.join(", ")}.`);
  return format;
}
