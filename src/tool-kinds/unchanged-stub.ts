import { REMINDER_OPEN } from "./host-tags.ts";
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
 *
 * Gemini CLI (0.61) has none: it shows the file again. In formats whose results are objects, each field is a text of its own.
 */
export function isUnchangedStub({ kind, files }: ToolUse, texts: readonly string[]): boolean {
  if (kind !== "read" || files.length === 0) return false;
  // Claude Code may have put a reminder behind it.
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
