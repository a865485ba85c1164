import { isPatch, listBeginnings, missedText } from "./missed-text.ts";
import type { ToolUse } from "./tool-use.ts";

/**
 * Checks whether the result of a call that changes files says that nothing was changed. Several clients report such a
 * result as a success. The usual forms, besides a text that was not found (`missedText`):
 *
 *   Codex                apply_patch verification failed: … / Exit code: 1
 *   OpenHands            ERROR:\nNo replacement was performed. Multiple occurrences of old_str …
 *   trae-agent           Tool call failed with error:\n…
 *   SWE-agent            Your proposed edit has introduced new syntax error(s).   (it takes the edit back)
 *   Roo Code             Unable to apply diff to file: a.ts
 *   Gemini CLI           Failed to edit, expected 1 occurrence but found 2
 *   git apply            error: patch failed: a.ts:12
 *
 * In a shell, this applies only to a line that is one patch, apart from `cd`: another command may have changed
 * something.
 *
 * @param texts the texts of the result; if a format's results are objects, each field is one text
 */
export function failedChange(use: ToolUse, texts: readonly string[]): boolean {
  const { kind, commands = [] } = use;
  if (kind === "shell") {
    const others = commands.filter(({ words: [program] }) => program !== "cd").length - 1;
    return others === 0 && isPatch(use) && says(FAILED_PATCH, texts);
  }
  if (kind !== "edit" && kind !== "write" && kind !== "delete") return false;
  return says(FAILED, texts) || missedText(use, texts);
}

function says(wordings: readonly RegExp[], texts: readonly string[]): boolean {
  return listBeginnings(texts).some((beginning) => wordings.some((wording) => wording.test(beginning)));
}

const FAILED_PATCH: readonly RegExp[] = [
  /^exit code: [1-9]/i,
  /^apply_patch verification failed/i,
  /^failed to find (?:expected lines|context)/i,
  // Git applies a whole patch or nothing.
  /^error: patch failed:/i,
];

/** The beginnings of such results. */
const FAILED: readonly RegExp[] = [
  ...FAILED_PATCH,
  /^(?:edit )?error:/i,
  /^<(?:tool_use_)?error>/i,
  /^(?:the )?tool (?:call|execution) failed with/i,
  /^no replacements? (?:was |were )?(?:performed|made)/i,
  /^your proposed edit has introduced new syntax error/i,
  /^unable to apply diff/i,
  /^failed to (?:edit|apply|replace|write|create|delete)\b/i,
  /^\{"(?:error"|status":"error")/,
];
