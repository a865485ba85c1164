import { describe, expect, it } from "vitest";
import { createPruner } from "../../src/index.ts";

const text = Array.from({ length: 80 }, (_, i) => `line ${i} of the file`).join("\n");

/** A result that may be cut carries a ref. */
function mayCut(path: string, pattern: string, directory?: string): boolean {
  const input = JSON.stringify({ filePath: path });
  const pruner = createPruner({
    format: "openai-chat",
    agentTools: true,
    config: { protectedFilePatterns: [pattern] },
    ...(directory !== undefined && { directory }),
  });
  const { messages } = pruner.prune([
    { role: "user", content: "Go." },
    {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "a", type: "function", function: { name: "read", arguments: input } }],
    },
    { role: "tool", tool_call_id: "a", content: text },
  ]);
  return JSON.stringify(messages[2]).includes("<tool_hash>");
}

describe("patterns of protected files", () => {
  it.each([
    ["docs/plan.md", "docs/**", undefined, true],
    ["docs/plan.md", "docs/**", "/home/me/project", true],
    ["/home/me/project/docs/plan.md", "docs/**", "/home/me/project", true],
    ["/home/me/project/docs/plan.md", "docs/**", "/home/me/project/", true],
    ["/home/me/project/docs/plan.md", "/home/me/project/docs/**", "/home/me/project", true],
    ["/elsewhere/docs/plan.md", "docs/**", "/home/me/project", false],
    ["/home/me/project-2/docs/plan.md", "docs/**", "/home/me/project", false],
    ["src/docs/plan.md", "docs/**", "/home/me/project", false],
    ["src/docs/plan.md", "plan.md", "/home/me/project", true],
  ])("%s under %s in %s", (path, pattern, directory, isProtected) => {
    expect(mayCut(path, pattern, directory)).toBe(!isProtected);
  });
});
