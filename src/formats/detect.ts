import { anthropicMessages } from "./anthropic-messages.ts";
import type { Format, FormatName } from "./format.ts";
import { openAiChat } from "./openai-chat.ts";
import { openCode } from "./opencode.ts";

const FORMATS: readonly Format[] = [openCode, anthropicMessages, openAiChat];

/**
 * Whose messages are these?
 *
 *   { info, parts }                                 ->  opencode
 *   { role, content: [{ type: "tool_use", … }] }    ->  anthropic-messages
 *   { role, content: "text" }                       ->  openai-chat, which anyone's plain messages are
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
  if (format === undefined)
    throw new RangeError(`No format "${name}": use ${FORMATS.map((f) => f.name).join(", ")}.`);
  return format;
}
