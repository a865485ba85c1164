import { expect, test } from "vitest";
import { findSkillFile, loadsSkill } from "../../src/tool-kinds/skill-file.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";

const kinds = createToolKinds();

test.each<[string, object, boolean]>([
  ["skill", { name: "pdf" }, true],
  ["load_skill", { name: "pdf" }, true],
  ["read", { filePath: "SKILL.md" }, true],
  ["read", { filePath: "/home/me/.claude/skills/pdf/forms.md" }, true],
  ["read", { filePath: "C:\\agents\\skills\\pdf\\skill.md" }, true],
  ["read", { filePath: ".opencode/skill/pdf/notes.md" }, true],
  ["bash", { command: "cat .agents/skills/pdf/SKILL.md" }, true],
  ["read", { path: "skill://pdf" }, true],
  ["read", { path: "skill://pdf/forms.md" }, true],
  ["write", { path: "skill://pdf/forms.md", content: "x" }, false],
  ["read", { path: "artifact://3" }, false],
  ["read_many_files", { paths: ["a.ts", "skills/pdf/SKILL.md"] }, true],
  ["write", { filePath: "skills/pdf/SKILL.md", content: "x" }, false],
  ["read", { filePath: "src/skill.ts" }, false],
  ["read", { filePath: "src/skills/pdf/fill.py" }, true],
  ["read", { filePath: "src/skill/tree.md" }, true],
  ["read", { filePath: "src/skill/tree.ts" }, false],
  ["read", { filePath: "docs/my-skill.md" }, false],
  ["bash", { command: "ls skills" }, false],
  ["list", { path: "skills" }, false],
])("%s %j", (tool, input, expected) => {
  const use = kinds.describe(tool, input);
  expect(loadsSkill(use)).toBe(expected);
  expect(findSkillFile(use) !== undefined).toBe(expected && use.kind !== "skill");
});
