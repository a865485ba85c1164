import { REMINDER_OPEN } from "./host-tags.ts";
import type { ToolUse } from "./tool-use.ts";

/** No stub is longer, whatever its path. */
const LONGEST_STUB = 1_200;

/**
 * Is a read's answer only a note that the file is unchanged? Then only an earlier result has the text. Hosts with
 * such answers:
 *
 *   Claude Code   File unchanged since last read. The content from the earlier Read tool_result in this conversation …
 *                 Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.
 *   Qwen Code     [File src/a.ts unchanged since last read in this session — the full content was provided earlier …]
 *   Hermes        {"status": "unchanged", "message": "File unchanged since last read. The content from the …", …}
 *
 * Gemini CLI (0.61) has none: it shows the file again. In formats with objects as results, each field is a separate
 * text.
 */
export function isUnchangedStub({ kind, files }: ToolUse, texts: readonly string[]): boolean {
  if (kind !== "read" || files.length === 0) return false;
  // Claude Code may have added a reminder after it.
  const ownTexts = texts.filter((text) => text !== "" && !text.startsWith(REMINDER_OPEN));
  const notes = ownTexts.map((text) => text.split(`\n\n${REMINDER_OPEN}`, 1)[0]?.trim() ?? "");
  const length = notes.reduce((sum, note) => sum + note.length, 0);
  // An answer in fields (`{ status, message, path }`) has one text in each.
  return length <= LONGEST_STUB && !notes.some((note) => note.includes("\n")) && notes.some(isNote);
}

function isNote(note: string): boolean {
  const words = note.toLowerCase();
  return (
    STARTS.some((start) => words.startsWith(start)) &&
    WORDINGS.some((wording) => words.includes(wording)) &&
    words.includes(" earlier ")
  );
}

const STARTS = ["file unchanged since", "wasted call", "[file ", "file ", '{"status', '{"content'];
const WORDINGS = [
  "unchanged since last read",
  "unchanged since your last read",
  "unchanged since the last read",
];
