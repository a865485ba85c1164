import type { ToolUse } from "./tool-use.ts";

const SKILL_FILE = /^skill:\/\/|(?:^|\/)(?:skill\.md$|skills\/|\.[^/]+\/skill\/)/i;

/**
 * Does this call load a skill: by a tool made for it, or by reading one of its files, in the shell too?
 *
 *   skill { name: "pdf" }                       ->  yes
 *   read { filePath: ".agents/pdf/SKILL.md" }   ->  yes
 *   cat ~/.claude/skills/pdf/forms.md           ->  yes
 *   read { path: "skill://pdf/forms.md" }       ->  yes
 *   read { filePath: "src/skill.ts" }           ->  no
 *   mcp__x__read { path: "SKILL.md" }           ->  no: a server's file
 */
export function loadsSkill({ kind, server, files }: ToolUse): boolean {
  const isFile = files.some(({ path, operation }) => operation === "read" && SKILL_FILE.test(path));
  return kind === "skill" || (server === undefined && isFile);
}
