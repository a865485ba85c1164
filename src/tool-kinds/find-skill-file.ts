import type { FileTouch, ToolUse } from "./tool-use.ts";

/** `skill://pdf`, `SKILL.md` anywhere, a page in a `skills` folder, and whatever lies in an agent's own one (`.claude/skills`). */
const SKILL_FILE = /^skill:\/\/|(?:^|\/)SKILL\.md$|(?:^|\/)\.[^/]+\/skills?\//i;
const SKILL_FOLDER = /(?:^|\/)skills?\//i;

/** The skill file among those that a call has read. A server's files are none, whatever it calls them. */
export function findSkillFile({ server, files }: ToolUse): FileTouch | undefined {
  if (server !== undefined) return undefined;
  return files.find(({ path, operation }) => operation === "read" && isSkillFile(path));
}

function isSkillFile(path: string): boolean {
  return SKILL_FILE.test(path) || (/\.md$/i.test(path) && SKILL_FOLDER.test(path));
}
