import type { Field } from "../basics/read-fields.ts";
import { aiSdk } from "./ai-sdk/ai-sdk.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import type { Format, FormatChoice, FormatName } from "./format.ts";
import { gemini } from "./gemini/gemini.ts";
import { langChain } from "./langchain/langchain.ts";
import { openAiAgents } from "./openai-agents/openai-agents.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";
import { openCode } from "./opencode/opencode.ts";
import { pi } from "./pi/pi.ts";

/** If two have the same score, the first is used. `openai-chat` fits any plain messages, so it is last. */
const FORMATS: Readonly<Record<FormatName, Format>> = {
  opencode: openCode,
  pi,
  "ai-sdk": aiSdk,
  gemini,
  langchain: langChain,
  "openai-responses": openAiResponses,
  "openai-agents": openAiAgents,
  "anthropic-messages": anthropicMessages,
  "openai-chat": openAiChat,
};

export const FORMAT_NAMES: readonly FormatName[] = Object.keys(FORMATS).filter(isFormatName);

/** The functions that your own format must have. */
const METHODS = ["decode", "rewrite", "placeNote"] as const;

/** The type of an option that names a format. */
export const FORMAT: Field = {
  expected: `${FORMAT_NAMES.map((name) => JSON.stringify(name)).join(", ")} or a format of your own: { name, ${METHODS.join(", ")} }`,
  fits: (value) => (typeof value === "object" ? isFormat(value) : isFormatName(value)),
};

/**
 * Detects the format of messages.
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
  for (const name of FORMAT_NAMES) {
    const score = FORMATS[name].detect(messages);
    if (score > best.score) best = { name, score };
    if (score === 1) break;
  }
  return best.name;
}

export function formatByName(name: FormatName): Format {
  if (!isFormatName(name)) throw new RangeError(`No format "${name}": use ${FORMAT_NAMES.join(", ")}.`);
  return FORMATS[name];
}

/** The format that a caller has chosen. */
export function chosenFormat(choice: FormatChoice): Format {
  return typeof choice === "object" ? choice : formatByName(choice);
}

function isFormatName(value: unknown): value is FormatName {
  return typeof value === "string" && Object.hasOwn(FORMATS, value);
}

function isFormat(value: object | null): boolean {
  if (value === null || typeof Reflect.get(value, "name") !== "string") return false;
  return METHODS.every((method) => typeof Reflect.get(value, method) === "function");
}
