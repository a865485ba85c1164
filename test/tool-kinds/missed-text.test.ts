import { describe, expect, test } from "vitest";
import { missedText } from "../../src/tool-kinds/missed-text.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";

const { describe: meaningOf } = createToolKinds();
const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** End Patch";
const edit = meaningOf("edit", { file_path: "a.ts", old_string: "a", new_string: "b" });

describe("an edit whose text is not in the file, in the words of agents", () => {
  test.each<[string, string, object | string, string]>([
    [
      "Claude Code",
      "Edit",
      { file_path: "a.ts" },
      "<tool_use_error>String to replace not found in file.\nString: const a = 1;</tool_use_error>",
    ],
    [
      "OpenCode",
      "edit",
      { filePath: "a.ts" },
      "Could not find oldString in the file. It must match exactly, including whitespace.",
    ],
    ["OpenCode, before", "edit", { filePath: "a.ts" }, "Error: oldString not found in content"],
    [
      "OpenCode's patches",
      "apply_patch",
      { patchText: patch },
      "apply_patch verification failed: Error: Failed to find expected lines in /w/a.ts:\na",
    ],
    [
      "Codex",
      "apply_patch",
      patch,
      "apply_patch verification failed: Failed to find expected lines in /w/a.ts:\na",
    ],
    [
      "Codex in a shell",
      "shell",
      { command: ["apply_patch", patch] },
      "apply_patch verification failed: Failed to find context 'x' in /w/a.ts",
    ],
    [
      "Cline",
      "replace_in_file",
      { path: "a.ts" },
      "[replace_in_file for 'a.ts'] Result:\nThe tool execution failed with the following error:\n<error>\nThe SEARCH block:\nconst a = 1;\n...does not match anything in the file.",
    ],
    [
      "Roo Code",
      "apply_diff",
      { path: "a.ts" },
      "Unable to apply diff to file: /w/a.ts\n\n<error_details>\nNo sufficiently similar match found at line: 12 (40% similar, needs 100%)",
    ],
    [
      "Gemini CLI",
      "replace",
      { file_path: "a.ts" },
      "Failed to edit, 0 occurrences found for old_string in a.ts. No edits made.",
    ],
    [
      "pi",
      "edit",
      { path: "a.ts" },
      "Could not find the exact text in a.ts. The old text must match exactly.",
    ],
    ["pi, one of several", "edit", { path: "a.ts" }, "Could not find edits[1] in a.ts."],
    [
      "OpenHands",
      "str_replace_editor",
      { command: "str_replace", path: "a.ts" },
      "ERROR:\nNo replacement was performed, old_str `a` did not appear verbatim in /w/a.ts.",
    ],
    [
      "trae-agent",
      "str_replace_based_edit_tool",
      { command: "str_replace", path: "a.ts" },
      "Tool call failed with error:\nNo replacement was performed, old_str `a` did not appear verbatim in /w/a.ts.",
    ],
    ["Copilot CLI", "edit", { path: "a.ts", old_str: "a", new_str: "b" }, "No match found for old_str"],
    [
      "Copilot in VS Code",
      "replace_string_in_file",
      { filePath: "a.ts" },
      "Could not find matching text to replace.",
    ],
  ])("%s", (_, tool, input, said) => {
    expect(missedText(meaningOf(tool, input), [said])).toBe(true);
  });

  test("in a field of a result that is an object", () => {
    expect(missedText(edit, ["failed", "Failed to edit, could not find the string to replace."])).toBe(true);
  });
});

describe("other answers to edits", () => {
  test.each([
    "The file /w/a.ts has been updated. Here's the result of running `cat -n`:\n  1→String to replace not found in file.",
    "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
    "<tool_use_error>File has been modified since read, either by the user or by a linter.</tool_use_error>",
    "<tool_use_error>Found 2 matches of the string to replace, but replace_all is false.</tool_use_error>",
    "ERROR:\nNo replacement was performed. Multiple occurrences of old_str `a` in lines [1, 2].",
    "The user doesn't want to proceed with this tool use.",
    "Successfully replaced 1 block(s) in a.ts.",
    "",
  ])("%s", (said) => {
    expect(missedText(edit, [said])).toBe(false);
  });

  test("nor the same words in the answer to another call", () => {
    const said = "String to replace not found in file.";
    expect(missedText(meaningOf("read", { file_path: "a.ts" }), [said])).toBe(false);
    expect(missedText(meaningOf("bash", { command: "node replace.js" }), [said])).toBe(false);
  });
});
