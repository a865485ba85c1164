import { isRecord } from "../../basics/json.ts";

/**
 * Converts a chunk of Mastra back to the part of the AI SDK's stream that it was made from, as far as `AnswerNotes`
 * reads it.
 */
export function toStreamPart(type: string, payload: unknown): unknown {
  if (!isRecord(payload)) return undefined;
  if (type === "finish" && isRecord(payload.output)) return { type, usage: payload.output.usage };
  return { ...payload, type };
}
