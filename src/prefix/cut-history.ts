import { isRecord } from "../basics/json.ts";
import type { Wire, WireRequest } from "../wires/wire.ts";

/**
 * The body of any request of a conversation without its history: only the text before the model's first answer is
 * left. It is the same in every request, unless the client changes it.
 */
export function cutHistory(wire: Pick<Wire, "write">, request: WireRequest): string | undefined {
  const { messages } = request;
  const end = messages.findIndex((message) => !isBeforeAnswers(message));
  const opening = end < 0 ? messages : messages.slice(0, end);
  return wire.write(request, opening, [...opening.keys()]);
}

const BEFORE_ANSWERS: ReadonlySet<unknown> = new Set(["user", "system", "developer"]);

/** Gemini's user needs no role, and Codex puts tools into an item of the input. */
function isBeforeAnswers(message: unknown): boolean {
  if (!isRecord(message)) return false;
  const { role, type } = message;
  return role === undefined ? type === undefined || type === "additional_tools" : BEFORE_ANSWERS.has(role);
}
