import type { ToolUse } from "./tool-use.ts";

/** Of the calls about the context the one that is about one item: it gives a text back. */
export function isRecall({ kind, partial }: ToolUse): boolean {
  return kind === "context" && partial === true;
}
