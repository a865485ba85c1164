import { describe, expect, test } from "vitest";
import { failedChange } from "../../src/tool-kinds/failed-change.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";

const { describe: meaningOf } = createToolKinds();
const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** End Patch";
const replace = { command: "str_replace", path: "/w/a.ts", old_str: "a", new_str: "b" };
const create = { command: "create", path: "/w/a.ts", file_text: "a" };
const heredoc = { command: `apply_patch <<'EOF'\n${patch}\nEOF` };

describe("a change that was not made, as agents say it", () => {
  test.each<[string, string, unknown, string]>([
    ["Codex", "apply_patch", patch, "apply_patch verification failed: invalid hunk at line 2"],
    ["Codex, as JSON", "apply_patch", patch, '{"output":"apply_patch verification failed: no such file"'],
    ["Codex, with its exit code", "apply_patch", patch, "Exit code: 1\nWall time: 0 seconds\nOutput:\nno"],
    ["Codex in a shell", "shell", heredoc, "Failed to find expected lines in /w/a.ts:\na"],
    [
      "git apply",
      "bash",
      { command: "cd /w && git apply <<'EOF'\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\nEOF" },
      "error: patch failed: a.ts:1\nerror: a.ts: patch does not apply",
    ],
    [
      "OpenHands",
      "str_replace_editor",
      replace,
      "ERROR:\nNo replacement was performed. Multiple occurrences of old_str `a` in lines [1, 2].",
    ],
    [
      "OpenHands, a file that is there",
      "str_replace_editor",
      create,
      "ERROR:\nInvalid `path` parameter: /w/a.ts. File already exists at: /w/a.ts.",
    ],
    [
      "trae-agent",
      "str_replace_based_edit_tool",
      replace,
      "Tool call failed with error:\nNo replacement was performed, old_str `a` did not appear verbatim in /w/a.ts.",
    ],
    [
      "SWE-agent, which takes the edit back",
      "edit",
      { path: "a.py" },
      "Your proposed edit has introduced new syntax error(s). Please read this error message carefully.",
    ],
    ["Roo Code", "apply_diff", { path: "a.ts" }, "Unable to apply diff to file: /w/a.ts\n\n<error_details>"],
    [
      "Gemini CLI",
      "replace",
      { file_path: "a.ts" },
      "Failed to edit, expected 1 occurrence but found 2 for old_string in a.ts",
    ],
    [
      "Claude Code",
      "Write",
      { file_path: "a.ts", content: "a" },
      "<tool_use_error>File has not been read yet.",
    ],
  ])("%s", (_, tool, input, said) => {
    expect(failedChange(meaningOf(tool, input), [said])).toBe(true);
  });
});

describe("not", () => {
  test.each<[string, string, unknown, string]>([
    [
      "an edit that was made",
      "str_replace_editor",
      replace,
      "The file /w/a.ts has been edited. Here's the result of running `cat -n` on a snippet:\n1\tError: none",
    ],
    ["a patch that was made", "apply_patch", patch, "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess."],
    [
      "a view of a file that holds such words",
      "str_replace_editor",
      { command: "view", path: "/w/a" },
      "ERROR:",
    ],
    ["a command that prints them", "bash", { command: "cat > a.ts <<EOF\na\nEOF" }, "Error: no"],
    [
      "a patch beside other commands",
      "shell",
      { command: `rm b.ts && ${heredoc.command}` },
      "Failed to find expected lines in /w/a.ts:\na",
    ],
  ])("%s", (_, tool, input, said) => {
    expect(failedChange(meaningOf(tool, input), [said])).toBe(false);
  });
});
