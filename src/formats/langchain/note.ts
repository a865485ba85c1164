import { isRecord } from "../../basics/json.ts";
import type { PlacedNote } from "../format.ts";
import { appendMessage } from "../note.ts";
import { cloneWith, isBaseMessage, typeOf } from "./message.ts";

/**
 * Uses the class of the person's newest message; without one, a plain object that LangChain accepts as a message.
 */
export function placeLangChainNote(messages: readonly unknown[], text: string): PlacedNote<unknown> {
  const fields = {
    content: text,
    additional_kwargs: {},
    response_metadata: {},
    id: undefined,
    name: undefined,
  };
  const human = messages.findLast((message) => isBaseMessage(message) && typeOf(message) === "human");
  if (!isRecord(human))
    return appendMessage(messages, {
      type: "human",
      content: text,
      lc_namespace: ["langchain_core", "messages"],
    });
  return appendMessage(messages, cloneWith(human, { ...fields, lc_kwargs: fields }));
}
