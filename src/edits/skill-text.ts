import type { FileTouch, ToolUse } from "../tool-kinds/tool-use.ts";

/** `skill://pdf`, `SKILL.md` anywhere, a page in a `skills` folder, and whatever lies in an agent's own one (`.claude/skills`). */
const SKILL_FILE = /^skill:\/\/|(?:^|\/)SKILL\.md$|(?:^|\/)skills?\/.*\.md$|(?:^|\/)\.[^/]+\/skills?\//i;

/** The skill file among those that a call has read. A server's files are none, whatever it calls them. */
export function findSkillFile({ server, files }: ToolUse): FileTouch | undefined {
  if (server !== undefined) return undefined;
  return files.find(({ path, operation }) => operation === "read" && SKILL_FILE.test(path));
}
