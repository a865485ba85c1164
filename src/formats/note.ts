import { isRecord } from "../basics/json.ts";
import type { PlacedNote } from "./format.ts";

export function appendMessage(messages: readonly unknown[], note: unknown): PlacedNote<unknown> {
  return { messages: [...messages, note], added: "message" };
}

/** The messages before `placeNote`, byte for byte, even after a trip through JSON: it uses `added`. */
export function stripNote<M>({ messages, added }: PlacedNote<M>): M[] {
  const before = messages.slice(0, -1);
  const last = messages.at(-1);
  if (added === "message" || !isRecord(last)) return before;
  const field = Array.isArray(last.content) ? "content" : "parts";
  const blocks = last[field];
  return Array.isArray(blocks) ? [...before, { ...last, [field]: blocks.slice(0, -1) }] : before;
}
