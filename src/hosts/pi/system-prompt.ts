import { isRecord, type JsonRecord } from "../../basics/json.ts";

/**
 * Adds a text to the system prompt of the turn that is about to start. pi from 0.87 on has the prompt in named sections,
 * and records which changed; before that it is one text, and in oh-my-pi a list of them.
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
  // Not an element more: what is marked for the cache goes by elements.
  return { systemPrompt: systemPrompt.with(-1, `${systemPrompt.at(-1)}\n\n${text}`) };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === "string");
}
