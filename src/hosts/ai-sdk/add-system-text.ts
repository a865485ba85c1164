import { SYSTEM_TEXT } from "../../agent/system-text.ts";
import { isRecord } from "../../basics/json.ts";

/** Our text stands behind the first system text, at every request alike; where there is none it is the first message. */
export function addSystemText(prompt: readonly unknown[]): readonly unknown[] {
  const [first, ...rest] = prompt;
  if (isRecord(first) && first.role === "system" && typeof first.content === "string")
    return [{ ...first, content: `${first.content}\n\n${SYSTEM_TEXT}` }, ...rest];
  return [{ role: "system", content: SYSTEM_TEXT }, ...prompt];
}
