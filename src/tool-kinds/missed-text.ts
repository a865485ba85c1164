import type { ToolUse } from "./tool-use.ts";

/** Does the call change text that it names? A patch in a shell line or a script counts too. */
export function isTextEdit({ kind, command, files }: ToolUse): boolean {
  if (kind === "edit") return true;
  return kind === "shell" && isPatch(command) && files.some(({ operation }) => operation === "edit");
}

function isPatch(command: string | undefined): boolean {
  return command !== undefined && /\bapply_?patch\b/.test(command);
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
 *   Copilot CLI          No match found for old_str / Could not find matching text to replace.
 *
 * @param texts of the result; in formats with objects as results, each field is one
 */
export function missedText(use: ToolUse, texts: readonly string[]): boolean {
  if (!isTextEdit(use)) return false;
  const heads = texts.map((text) => text.slice(0, HEAD));
  if (use.kind === "shell") return heads.some((head) => PATCH_FAILED.test(head));
  return heads.some((head) => {
    const message = withoutFrames(head);
    return MISSED.some((wording) => wording.test(message));
  });
}

const PATCH_FAILED =
  /^(?:apply_patch verification failed: )?(?:Error: )?Failed to find (?:expected lines|context)/im;

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

function withoutFrames(head: string): string {
  let rest = head;
  for (;;) {
    const frame = FRAMES.find((each) => each.test(rest));
    if (!frame) return rest;
    rest = rest.replace(frame, "");
  }
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
