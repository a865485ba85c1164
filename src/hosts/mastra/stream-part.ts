import { isRecord } from "../../basics/json.ts";

/** A chunk of Mastra's as the part of the AI SDK's stream that it was made from, as far as notes are taken of it. */
export function toStreamPart(type: string, payload: unknown): unknown {
  if (!isRecord(payload)) return undefined;
  if (type === "finish" && isRecord(payload.output)) return { type, usage: payload.output.usage };
  return { ...payload, type };
}
