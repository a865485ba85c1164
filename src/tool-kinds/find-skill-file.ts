import type { FileTouch, ToolUse } from "./tool-use.ts";

/** `skill://pdf`, any `SKILL.md`, a page in a `skills` folder, and any file in an agent's own (`.claude/skills`). */
const SKILL_FILE = /^skill:\/\/|(?:^|\/)SKILL\.md$|(?:^|\/)\.[^/]+\/skills?\//i;
const SKILL_FOLDER = /(?:^|\/)skills?\//i;

/** The skill file among those that a call has read. A server's files never count. */
export function findSkillFile({ server, files }: ToolUse): FileTouch | undefined {
  if (server !== undefined) return undefined;
  return files.find(({ path, operation }) => operation === "read" && isSkillFile(path));
}

function isSkillFile(path: string): boolean {
  return SKILL_FILE.test(path) || (/\.md$/i.test(path) && SKILL_FOLDER.test(path));
}
