import { findTagged, withoutBreaks } from "./find-tagged.ts";
import type { TextCall } from "./text-protocol.ts";

/**
 * `<function=NAME>` with a `<parameter=NAME>` for each argument. The end is often missing: the model stops there.
 */
export function findFunctionCall(answer: string): TextCall | undefined {
  const body = findTagged(answer, "<function=", "</function>");
  const nameEnd = body?.text.indexOf(">") ?? -1;
  if (!body || nameEnd < 1) return undefined;
  const input: Record<string, unknown> = Object.create(null);
  let at = nameEnd + 1;
  for (;;) {
    const parameter = findTagged(body.text, "<parameter=", "</parameter>", at);
    const end = parameter?.text.indexOf(">") ?? -1;
    if (!parameter || end < 1) break;
    input[parameter.text.slice(0, end)] = readValue(withoutBreaks(parameter.text.slice(end + 1)));
    at = parameter.end;
  }
  return { tool: body.text.slice(0, nameEnd), input: { ...input } };
}

/** Arguments are texts, except lists: `[10, 40]`. */
function readValue(text: string): unknown {
  if (!text.startsWith("[") || text.length > LONG_LIST) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const LONG_LIST = 200;
