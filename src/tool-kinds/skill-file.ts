import type { FileTouch, ToolUse } from "./tool-use.ts";

/** `skill://pdf`, any `SKILL.md`, any file in a `skills` folder or in an agent's own (`.opencode/skill`). */
const SKILL_FILE = /^skill:\/\/|(?:^|\/)(?:skill\.md$|skills\/|\.[^/]+\/skill\/)/i;
/** Folders of this name may contain anything, so only pages in them count. */
const SKILL_FOLDER = /(?:^|\/)skill\//i;

/**
 * Does this call load a skill: with a special tool, or by reading one of its files, including in the shell?
 *
 *   skill { name: "pdf" }                       ->  yes
 *   read { filePath: ".agents/pdf/SKILL.md" }   ->  yes
 *   cat ~/.claude/skills/pdf/forms.md           ->  yes
 *   read { path: "skill://pdf/forms.md" }       ->  yes
 *   read { filePath: "src/skill.ts" }           ->  no
 *   mcp__x__read { path: "SKILL.md" }           ->  no: a server's file
 */
export function loadsSkill(use: ToolUse): boolean {
  return use.kind === "skill" || findSkillFile(use) !== undefined;
}

/** The skill file among the files that a call has read. A server's files never count. */
export function findSkillFile({ server, files }: ToolUse): FileTouch | undefined {
  if (server !== undefined) return undefined;
  return files.find(({ path, operation }) => operation === "read" && isSkillFile(path));
}

function isSkillFile(path: string): boolean {
  return SKILL_FILE.test(path) || (/\.md$/i.test(path) && SKILL_FOLDER.test(path));
}
