import type { Issue } from "../../basics/issue.ts";
import { validateItems } from "../openai-responses/rules.ts";
import { isModelItem, readCall, readOutputId, readTextField } from "./items.ts";

/** The items become those of the Responses API, so its rules apply. */
export function validateOpenAiAgents(items: readonly unknown[]): readonly Issue[] {
  return validateItems(items, {
    callIdOf: (item) => readCall(item)?.callId,
    readOutputId,
    readTextField,
    isModelItem,
    isReference: () => false,
  });
}
