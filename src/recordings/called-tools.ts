import { isRecord } from "../basics/json.ts";
import { formatByName } from "../formats/detect.ts";
import type { Part } from "../transcript/part.ts";
import type { Recording } from "./recording.ts";

/**
 * The tool that a call names, and the tools that it calls inside: in a script (Codex), or by name (a bridge to
 * deferred tools).
 */
export function listCalled(part: Part): readonly string[] {
  if (part.kind !== "call") return [];
  const { tool, input } = part;
  const text = typeof input === "string" ? input : undefined;
  const scripted = [...(text ?? "").matchAll(/\btools\.([A-Za-z_]\w*)/g)].map(([, name = ""]) => name);
  const bridged =
    tool === "tool_call" && isRecord(input) && typeof input.name === "string" ? [input.name] : [];
  return [...new Set([tool, ...scripted, ...bridged])];
}

/** Names of the tools that a session and its subagents called, each once, sorted. */
export function calledTools({ format, segments, calledBeside = [] }: Recording): readonly string[] {
  const { decode } = formatByName(format);
  const names = new Set(calledBeside);
  for (const message of segments.flatMap(({ messages }) => messages))
    for (const part of decode(message).parts) for (const name of listCalled(part)) names.add(name);
  return [...names].sort();
}
