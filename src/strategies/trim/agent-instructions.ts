const NAMES = [
  "AGENTS?(?:\\.override)?\\.md",
  "CLAUDE(?:\\.local)?\\.md",
  "GEMINI\\.md",
  "WARP\\.md",
  "copilot-instructions\\.md",
  "\\.(?:cursor|windsurf|cline|roo|goose)(?:rules|hints)",
].join("|");

const FILE = new RegExp(`(?:^|/)(?:${NAMES})$`, "i");

const NAMED = `[\`"'(]?(?:\\S*[/\\\\])?(?:${NAMES})\\b`;
const LEAD = "(?:contents? of|instructions? (?:from|in)|context from|from|file|path|source):?\\s+";

/** How a line announces that the text of such a file follows. */
const HEADINGS: readonly RegExp[] = [
  new RegExp(`^#{1,6}\\s+(?:${LEAD})?${NAMED}`, "i"),
  new RegExp(`^<[a-z][^>]*["'=\\s/](?:${NAMES})\\b`, "i"),
];

/** The same behind rules, bullets and blanks. */
const ORNAMENTED: readonly RegExp[] = [
  new RegExp(`^${LEAD}${NAMED}`, "i"),
  new RegExp(`^${NAMED}[\`"']?(?::|\\s+instructions\\b.*)$`, "i"),
];

/** What hosts wrap them in. */
const TAG =
  /^<(?:user_instructions|agent_instructions|project_instructions|custom_instructions|instructions|agents_?md|claude_?md|(?:user|project|workspace|always_applied_workspace)_rules|rules)[\s>]/i;

const FIRST_LINES = 10;

/**
 * Is this text the instructions that a host loads for the agent?
 *
 *   "# AGENTS.md instructions for /repo\n\nUse tabs."         ->  yes
 *   "Contents of /repo/CLAUDE.md:\n\nUse tabs."               ->  yes
 *   "<user_instructions>\nUse tabs.\n</user_instructions>"    ->  yes
 *   "Add the build command to AGENTS.md, please."             ->  no
 */
export function isAgentInstructions(text: string): boolean {
  const start = text.trimStart();
  if (TAG.test(start)) return true;
  const lines = start.slice(0, 2_000).split(/\r?\n/);
  const at = lines.slice(0, FIRST_LINES).findIndex(isHeading);
  return at >= 0 && lines.slice(at + 1).some((line) => line.trim() !== "");
}

function isHeading(line: string): boolean {
  const bare = line.replace(/^[-=*\s]+/, "");
  return HEADINGS.some((form) => form.test(line)) || ORNAMENTED.some((form) => form.test(bare));
}

/** Is this the name of a file that hosts load instructions from? */
export function isInstructionFile(path: string): boolean {
  return FILE.test(path);
}
