import { isRecord } from "../../basics/json.ts";
import type { PlacedNote } from "../format.ts";
import { appendMessage } from "../note.ts";
import { cloneWith, isBaseMessage, typeOf } from "./message.ts";

/** A message of the class that the newest message of a person has; where there is none, one that LangChain makes a message of. */
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
