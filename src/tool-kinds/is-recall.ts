import type { ToolUse } from "./tool-use.ts";

/** A call about the context that concerns one item returns a text. */
export function isRecall({ kind, partial }: ToolUse): boolean {
  return kind === "context" && partial === true;
}
