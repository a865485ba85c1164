import type { ResultPart } from "./part.ts";

/** The host has cut it itself: it is left as it is. */
export function clearResult(part: ResultPart): ResultPart {
  return { ...part, status: "cleared", ...(part.status === "error" && { failed: true }) };
}
