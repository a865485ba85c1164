import type { ToolUse } from "./tool-use.ts";

/**
 * Does the call change text that it names, and fail if the file does not hold it? A patch in a shell line or a script
 * does too. `sed` does not: it says nothing of a text that it does not find.
 */
export function isTextEdit(use: ToolUse): boolean {
  if (use.kind === "edit") return true;
  return use.kind === "shell" && isPatch(use) && use.files.some(({ operation }) => operation === "edit");
}

/** Is a patch applied in the line or script? */
export function isPatch({ command = "", commands = [] }: ToolUse): boolean {
  if (/\bapply_?patch\b/.test(command)) return true;
  return commands.some(
    ({ words: [program, action] }) => program === "patch" || (program === "git" && action === "apply"),
  );
}

/** Longer answers show the file, and a file may contain any words. */
const HEAD = 600;

/**
 * Did an edit fail because its text is not in the file? Other failures are different: a file that was not read yet,
 * a text that occurs twice, a person who refused. The messages of agents:
 *
 *   Claude Code          <tool_use_error>String to replace not found in file.
 *   OpenCode             Could not find oldString in the file. / oldString not found in content
 *   Codex                apply_patch verification failed: Failed to find expected lines in a.ts
 *   Cline                The SEARCH block: … does not match anything in the file.
 *   Roo Code             No sufficiently similar match found at line: 12 (40% similar, needs 100%)
 *   Gemini CLI, Qwen     Failed to edit, 0 occurrences found for old_string in a.ts.
 *   pi                   Could not find the exact text in a.ts. / Could not find edits[1] in a.ts.
 *   OpenHands, SWE-agent No replacement was performed, old_str `…` did not appear verbatim in a.ts.
 *   git apply, patch     error: patch failed: a.ts:12 / Hunk #1 FAILED at 12.
 *   Copilot CLI          No match found for old_str / Could not find matching text to replace.
 *
 * @param texts of the result; in formats with objects as results, each field is one
 */
export function missedText(use: ToolUse, texts: readonly string[]): boolean {
  if (!isTextEdit(use)) return false;
  const wordings = use.kind === "shell" ? [PATCH_FAILED] : MISSED;
  return listBeginnings(texts).some((beginning) => wordings.some((wording) => wording.test(beginning)));
}

/**
 * How the texts of a result begin: each as it is, and without one after the other of what clients write before a message.
 *
 *   "Error: apply_patch verification failed: no such file"   ->   itself, "apply_patch verification failed: …", "no such file"
 */
export function listBeginnings(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const beginnings = [text.slice(0, HEAD)];
    for (let rest: string | undefined = beginnings[0]; rest !== undefined; ) {
      rest = withoutFrame(rest);
      if (rest !== undefined) beginnings.push(rest);
    }
    return beginnings;
  });
}

const PATCH_FAILED =
  /^(?:(?:apply_patch verification failed: )?(?:Error: )?Failed to find (?:expected lines|context)|error: patch failed:|Hunk #\d+ FAILED)/im;

/** The text before the message itself. */
const FRAMES: readonly RegExp[] = [
  /^\s+/,
  /^<[a-z_]{1,40}>/,
  /^\[[a-z_]{1,40} for '[^'\n]{0,400}'\] Result:/,
  /^(?:The )?tool (?:call|execution) failed with (?:the following )?error:/i,
  /^(?:script |edit )?error:/i,
  /^unable to apply diff to file: [^\n]{0,400}/i,
  /^apply_patch verification failed:/i,
  /^\{"(?:error|message|output|result)":"/,
];

function withoutFrame(text: string): string | undefined {
  const frame = FRAMES.find((each) => each.test(text));
  return frame && text.replace(frame, "");
}

/** The beginnings of the messages. */
const MISSED: readonly RegExp[] = [
  /^string (?:to replace )?(?:was )?not found in/i,
  /^no replacements? (?:was |were )?(?:performed|made)[,.] (?:the )?old[ _]?str/i,
  /^failed to find (?:expected lines|context)/i,
  /^the search block:/i,
  /^this is likely because the search block content doesn't match/i,
  /^failed to edit, (?:0 occurrences found|could not find)/i,
  /^0 occurrences found/i,
  /^could not find (?:the |an? )?(?:exact|matching|match|string|old_?(?:string|str|text)|edits\[)/i,
  /^no (?:sufficiently similar |exact )?match(?:es)? found/i,
  /^(?:the )?['`"]?old[ _]?(?:string|str|text)['`"]? (?:was )?not found/i,
  /^'old_str' must appear exactly once in the file, but it does not appear/i,
  /^search (?:text|string|pattern|content) (?:was )?not found/i,
];
