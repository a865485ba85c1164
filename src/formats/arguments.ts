import { isHeavyJson } from "../basics/heavy-json.ts";
import type { CallPart } from "../transcript/part.ts";
import { collectLeaves, replaceLeavesInText } from "./json-leaves.ts";

/**
 * The arguments of a call, which are a JSON text. Invalid JSON is one leaf. A text that would take long to parse
 * has no leaves: it is counted, and passes unchanged.
 */
export function readArguments(text: string): Pick<CallPart, "input" | "leaves"> {
  if (isHeavyJson(text)) return { input: text, leaves: [] };
  const input = parseArguments(text);
  return { input, leaves: collectLeaves(input === undefined ? text : input, "input") };
}

/** The arguments with these leaves changed. */
export function rewriteArguments(text: string, texts: ReadonlyMap<string, string>): string {
  if (texts.size === 0) return text;
  if (parseArguments(text) !== undefined) return replaceLeavesInText(text, "input", texts);
  const changed = texts.get("input") ?? text;
  return changed === "" && text !== "" ? "{}" : changed;
}

/** `undefined` if the arguments are not valid JSON. */
function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
