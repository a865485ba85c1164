import type { ToolUse } from "./tool-use.ts";

/** No stub is longer, whatever the path in it. */
const LONGEST_STUB = 1_200;

/**
 * Is a read's answer only a note that the file is as the agent saw it? Then only an earlier result has the text. Hosts
 * that answer like that:
 *
 *   Claude Code   File unchanged since last read. The content from the earlier Read tool_result in this conversation …
 *                 Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.
 *   Qwen Code     [File src/a.ts unchanged since last read in this session — the full content was provided earlier …]
 *   Hermes        {"status": "unchanged", "message": "File unchanged since last read. The content from the …", …}
 */
export function isUnchangedStub({ kind, files }: ToolUse, texts: readonly string[]): boolean {
  if (kind !== "read" || files.length === 0) return false;
  // Claude Code may have put a reminder behind it.
  const [only, ...others] = texts.filter((text) => text !== "" && !text.startsWith(REMINDER));
  const [note = ""] = (only ?? "").split(`\n\n${REMINDER}`, 1);
  if (others.length > 0 || note.length > LONGEST_STUB) return false;
  const words = note.trim().toLowerCase();
  return (
    !words.includes("\n") &&
    STARTS.some((start) => words.startsWith(start)) &&
    WORDINGS.some((wording) => words.includes(wording)) &&
    words.includes(" earlier ")
  );
}

const REMINDER = "<system-reminder>";
const STARTS = ["file unchanged since", "wasted call", "[file ", "file ", '{"status'];
const WORDINGS = [
  "unchanged since last read",
  "unchanged since your last read",
  "unchanged since the last read",
];
