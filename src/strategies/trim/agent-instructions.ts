const FILE_NAMES = [
  "AGENTS?(?:\\.override)?\\.md",
  "CLAUDE(?:\\.local)?\\.md",
  "GEMINI\\.md",
  "WARP\\.md",
  "copilot-instructions\\.md",
  "\\.(?:cursor|windsurf|cline|roo|goose)(?:rules|hints)",
].join("|");

const INSTRUCTION_FILE = new RegExp(`(?:^|/)(?:${FILE_NAMES})$`, "i");

const NAMED_FILE = `[\`"'(]?(?:\\S*[/\\\\])?(?:${FILE_NAMES})\\b`;
const LEAD_WORDS = "(?:contents? of|instructions? (?:from|in)|context from|from|file|path|source):?\\s+";

/** Lines which announce that the text of such a file follows. */
const HEADINGS: readonly RegExp[] = [
  new RegExp(`^#{1,6}\\s+(?:${LEAD_WORDS})?${NAMED_FILE}`, "i"),
  new RegExp(`^<[a-z][^>]*["'=\\s/](?:${FILE_NAMES})\\b`, "i"),
];

/** The same after rules, bullets and blanks at the start of the line. */
const ORNAMENTED: readonly RegExp[] = [
  new RegExp(`^${LEAD_WORDS}${NAMED_FILE}`, "i"),
  new RegExp(`^${NAMED_FILE}[\`"']?(?::|\\s+instructions\\b.*)$`, "i"),
];

/** The tags that hosts put around instructions. */
const INSTRUCTION_TAG =
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
  if (INSTRUCTION_TAG.test(start)) return true;
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
  return INSTRUCTION_FILE.test(path);
}
