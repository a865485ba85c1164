import { isRecord } from "../../basics/json.ts";
import { langChain } from "../../formats/langchain/langchain.ts";
import { typeOf } from "../../formats/langchain/message.ts";
import type { PrunedRequest } from "../conversation/conversations.ts";

type Answer = Parameters<PrunedRequest<unknown>["answered"]>[0];

/** Reads the message in a model's response. A structured response has it in a list; a command has no message. */
export function readAnswer(response: unknown): Answer {
  const messages = isRecord(response) && Array.isArray(response.messages) ? response.messages : [response];
  const message: unknown = messages.find((each) => typeOf(each) === "ai");
  if (message === undefined) return {};
  const { parts, usage, model } = langChain.decode(message);
  return {
    calls: parts.flatMap((part) => (part.kind === "call" ? [part.callId] : [])),
    ...(usage && { usage }),
    ...(model !== undefined && { model }),
  };
}
