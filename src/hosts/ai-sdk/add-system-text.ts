import { SYSTEM_TEXT } from "../../agent/system-text.ts";
import { isRecord } from "../../basics/json.ts";

/**
 * Adds our text after the first system text, the same in every request. Without a system text, it becomes the first
 * message.
 */
export function addSystemText(prompt: readonly unknown[]): readonly unknown[] {
  const [first, ...rest] = prompt;
  if (isRecord(first) && first.role === "system" && typeof first.content === "string")
    return [{ ...first, content: `${first.content}\n\n${SYSTEM_TEXT}` }, ...rest];
  return [{ role: "system", content: SYSTEM_TEXT }, ...prompt];
}
