import type { ResultPart } from "./part.ts";

/** The part as a result that the host has cut itself, which Coppice does not change. */
export function clearResult(part: ResultPart): ResultPart {
  return { ...part, status: "cleared", ...(part.status === "error" && { failed: true }) };
}
