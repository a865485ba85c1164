import { describe, expect, test } from "vitest";
import {
  type ClassificationContext,
  classifyMessage,
} from "../../../src/strategies/trim/classify-message.ts";
import { ContentPriority } from "../../../src/strategies/trim/content-priority.ts";

const recent: ClassificationContext = {
  messageStep: 8,
  currentStep: 10,
  modifiedFiles: new Set(["src/changed.ts"]),
  recentThreshold: 5,
};
const old: ClassificationContext = { ...recent, messageStep: 1 };
const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });
const result = (content: string) => ({ role: "tool", tool_call_id: "c1", content });

test("the values are those of the table", () => {
  expect(ContentPriority).toEqual({
    SYSTEM: 100,
    AGENT_INSTRUCTIONS: 90,
    CURRENT_TASK: 80,
    MODIFIED_FILES: 70,
    RECENT_TURNS: 60,
    RECENT_FILE_READS: 50,
    OLD_HISTORY: 40,
    STALE_TOOL_OUTPUTS: 30,
    SUMMARIZED: 20,
  });
});

describe("what a message is worth", () => {
  test.each<[string, unknown, ClassificationContext, keyof typeof ContentPriority]>([
    ["a system message", { role: "system", content: "Be brief." }, old, "SYSTEM"],
    ["a developer message", { role: "developer", content: "Be brief." }, old, "SYSTEM"],
    [
      "AGENTS.md under its name",
      user("# AGENTS.md instructions for /repo\n\nUse tabs."),
      old,
      "AGENT_INSTRUCTIONS",
    ],
    ["the task", user("Fix the test."), { ...old, isCurrentTask: true }, "CURRENT_TASK"],
    ["a result about a changed file", result("File: src/changed.ts\nx"), old, "MODIFIED_FILES"],
    ["the same in JSON", result('{"filePath":"./src/changed.ts","text":"x"}'), old, "MODIFIED_FILES"],
    ["a result that names it only in passing", result("1 failed: changed.ts, line 3"), old, "MODIFIED_FILES"],
    ["recent words", user("And the other one?"), recent, "RECENT_TURNS"],
    ["a recent answer", assistant("Done."), recent, "RECENT_TURNS"],
    ["a recent result", result("3 passed"), recent, "RECENT_TURNS"],
    ["a recent read", result("File: src/b.ts\nx"), recent, "RECENT_FILE_READS"],
    ["old words", user("And the other one?"), old, "OLD_HISTORY"],
    ["an old answer", assistant("Done."), old, "OLD_HISTORY"],
    ["an old result", result("3 passed"), old, "STALE_TOOL_OUTPUTS"],
    ["an old read", result("Path: src/b.ts\nx"), old, "STALE_TOOL_OUTPUTS"],
    [
      "a result without any id",
      { role: "tool", name: "bash", content: "3 passed" },
      old,
      "STALE_TOOL_OUTPUTS",
    ],
    [
      "a call",
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "ls", arguments: "{}" } }],
      },
      old,
      "OLD_HISTORY",
    ],
    [
      "a placeholder of ours",
      result("[Content truncated - file: a.ts - 9 steps ago - 40 tokens]"),
      recent,
      "SUMMARIZED",
    ],
    ["the longer one", result("[File: a.ts\nLines: 3\n…"), recent, "SUMMARIZED"],
    ["a marker of ours", result("[superseded: newer read of the file · a1b2c3]"), recent, "SUMMARIZED"],
    ["what a host cleared", result("[Old tool result content cleared]"), recent, "SUMMARIZED"],
    [
      "a compaction",
      user("This session is being continued from a previous conversation that ran out."),
      recent,
      "SUMMARIZED",
    ],
    ["a summary in a tag", user("<summary>\nWe fixed it.\n</summary>"), recent, "SUMMARIZED"],
    [
      "Anthropic's result",
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t", content: "File: src/changed.ts\nx" }],
      },
      old,
      "MODIFIED_FILES",
    ],
    ["OpenCode's call with its result", openCodeRead("src/changed.ts"), old, "MODIFIED_FILES"],
    ["the same of another file", openCodeRead("src/b.ts"), old, "STALE_TOOL_OUTPUTS"],
  ])("%s", (_, message, context, expected) => {
    const classified = classifyMessage(message, context);
    expect(classified.priority).toBe(ContentPriority[expected]);
    expect(classified.message).toBe(message);
    expect(classified.step).toBe(context.messageStep);
    expect(classified.tokens).toBeGreaterThan(0);
    expect(classified.metadata.age).toBe(context.currentStep - context.messageStep);
  });

  test("the metadata says what applies, and no more", () => {
    const metadataOf = (message: unknown, context: ClassificationContext) =>
      classifyMessage(message, context).metadata;
    expect(metadataOf({ role: "system", content: "x" }, old)).toEqual({ age: 9, isSystem: true });
    expect(metadataOf(user("# CLAUDE.md\n\nx"), old)).toEqual({ age: 9, isAgentInstruction: true });
    expect(metadataOf(user("x"), { ...old, isCurrentTask: true })).toEqual({ age: 9, isCurrentTask: true });
    expect(metadataOf(result("File: src/changed.ts\nx"), recent)).toEqual({
      age: 2,
      filePath: "src/changed.ts",
      wasModified: true,
    });
    expect(metadataOf(result("File: b.ts\nx"), recent)).toEqual({
      age: 2,
      filePath: "b.ts",
      wasModified: false,
    });
    expect(metadataOf(user("<summary>x</summary>"), old)).toEqual({ age: 9, isSummarized: true });
    expect(metadataOf(user("x"), old)).toEqual({ age: 9 });
  });

  test("recent is up to the threshold, that included; without one `preserveRecentTurns` counts", () => {
    const at = (context: Partial<ClassificationContext>) =>
      classifyMessage(user("x"), { messageStep: 0, currentStep: 3, ...context }).priority;
    expect(at({ recentThreshold: 3 })).toBe(ContentPriority.RECENT_TURNS);
    expect(at({ recentThreshold: 2 })).toBe(ContentPriority.OLD_HISTORY);
    expect(at({ preserveRecentTurns: 2 })).toBe(ContentPriority.OLD_HISTORY);
    expect(at({})).toBe(ContentPriority.RECENT_TURNS);
  });
});

describe("agent instructions", () => {
  test.each<[string, string, boolean]>([
    ["a heading", "# AGENTS.md\n\nUse tabs.", true],
    ["Codex", "# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nUse tabs.", true],
    ["its tag", "<user_instructions>\nUse tabs.\n</user_instructions>", true],
    [
      "Claude Code",
      "<system-reminder>\nAs you answer:\n# claudeMd\nInstructions are shown below.\n\nContents of /repo/CLAUDE.md (project instructions):\n\nUse tabs.",
      true,
    ],
    ["OpenCode", "Instructions from: /repo/AGENTS.md\nUse tabs.", true],
    ["Gemini", "--- Context from: src/GEMINI.md ---\nUse tabs.", true],
    ["an attachment", '<attachment filePath="/r/.github/copilot-instructions.md">\nUse tabs.', true],
    ["the name alone with a colon", "CLAUDE.md:\nUse tabs.", true],
    ["Cursor", "<user_rules>\nUse tabs.\n</user_rules>", true],
    ["a wish about the file", "Add the build command to AGENTS.md, please.\nAnd run it.", false],
    ["a wish that begins with the name", "CLAUDE.md is out of date, please fix it.\nThanks.", false],
    ["a listing", "AGENTS.md\nREADME.md\nsrc", false],
    ["the name further down", `${"text\n".repeat(12)}# AGENTS.md\n\nUse tabs.`, false],
    ["a heading without a text", "# AGENTS.md", false],
    ["a reminder of another kind", "<system-reminder>\nThe todo list is empty.\n</system-reminder>", false],
  ])("%s", (_, text, expected) => {
    const { priority } = classifyMessage(user(text), old);
    expect(priority === ContentPriority.AGENT_INSTRUCTIONS).toBe(expected);
  });

  test("a predicate adds others; the agent's own text is not an instruction", () => {
    const isAgentInstruction = (text: string) => text.startsWith("HOUSE RULES");
    expect(classifyMessage(user("HOUSE RULES: tabs"), { ...old, isAgentInstruction }).priority).toBe(90);
    expect(classifyMessage(user("HOUSE RULES: tabs"), old).priority).toBe(40);
    expect(classifyMessage(assistant("# AGENTS.md\n\nUse tabs."), old).priority).toBe(40);
  });
});

function openCodeRead(filePath: string): unknown {
  const state = { status: "completed", input: { filePath }, output: "x", title: "", metadata: {} };
  return {
    info: { id: "m", role: "assistant" },
    parts: [{ type: "step-start" }, { type: "tool", tool: "read", callID: "c", state }],
  };
}
