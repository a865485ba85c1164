import { isRecord, type JsonRecord } from "../../basics/json.ts";

/**
 * Adds a text to the system prompt of the turn that is about to start. Since 0.87, pi keeps the prompt in named
 * sections and records which ones changed. Before that it is one string, and in oh-my-pi a list of strings.
 */
export function extendSystemPrompt(
  { systemPromptOptions, systemPrompt }: JsonRecord,
  text: string,
): { readonly systemPrompt: string | readonly string[] } | undefined {
  if (isRecord(systemPromptOptions) && isRecord(systemPromptOptions.sections)) {
    Reflect.set(systemPromptOptions.sections, "coppice", text);
    return undefined;
  }
  if (typeof systemPrompt === "string") return { systemPrompt: `${systemPrompt}\n\n${text}` };
  if (!isTexts(systemPrompt)) return undefined;
  // Does not add an element, because cache marks are set by element.
  return { systemPrompt: systemPrompt.with(-1, `${systemPrompt.at(-1)}\n\n${text}`) };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === "string");
}
