import { remember } from "../remember.ts";
import type { FileTouch } from "../tool-kinds/tool-use.ts";
import type { Part } from "../transcript/part.ts";

/** `SKILL.md` anywhere, a page in a `skills` folder, and whatever lies in an agent's own one (`.claude/skills`). */
const SKILL_FILE = /(?:^|\/)SKILL\.md$|(?:^|\/)\.[^/]+\/skills?\//i;
const SKILL_FOLDER = /(?:^|\/)skills?\//i;

/** The skill file among those that a call has read. */
export function findSkillFile(files: readonly FileTouch[]): FileTouch | undefined {
  return files.find(({ path, operation }) => operation === "read" && isSkillFile(path));
}

function isSkillFile(path: string): boolean {
  return SKILL_FILE.test(path) || (/\.md$/i.test(path) && SKILL_FOLDER.test(path));
}

/** Frontmatter stands at the start; looking further would cost time at every part. */
const START = 2_000;

/** What readers put before a file's text or its lines: `<file>`, `     1\t`, `00001| `. */
const READER_MARKS = /^(?:<[^>\n\r\u2028\u2029]*>)?[ \t]*(?:\d+(?:[:|→]|\t)[ ]?)?/gm;

const FRONTMATTER = /^\s*---[ \t]*\n([\s\S]*?)\n---/;

/**
 * Does the text begin like a skill?
 *
 *   ---
 *   name: release-notes
 *   description: Use when a release is prepared.
 *   ---
 */
export const hasSkillText: (part: Part) => boolean = remember(({ leaves }: Part) => {
  const text = leaves.find((leaf) => leaf.text !== "")?.text ?? "";
  if (!text.slice(0, 200).includes("---")) return false;
  const head = FRONTMATTER.exec(text.slice(0, START).replace(READER_MARKS, ""))?.[1] ?? "";
  return /^name:\s*\S/m.test(head) && /^description:\s*\S/m.test(head);
});
