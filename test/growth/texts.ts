/** A text of about so many characters. */
export interface HostileText {
  readonly name: string;
  of(size: number): string;
}

const CHARACTERS = [
  ..." \t\n\rabA0.,-_/\\\"'`([{<>}])$#=:;@*~|&%?!+^é",
  "\u{1F600}",
  "\ud83d",
  "\u00a0",
  "\u4e2d",
];

const SEPARATORS = [
  ...[
    ", ",
    "a.",
    "a@a.",
    "a@a.a",
    "a@a.aa",
    "a/",
    "../",
    "./",
    "a b ",
    "0,",
    "1:",
    " \n",
    "a\n",
    "\r\n",
    "\n\n",
    "a=",
    "://",
  ],
  ...["%2", "\\n", "0x", "a-", "a_", "Aa", "aA0.", "…", " · ", "a1b2c3 ", "1 ", "1.", "1-", "() ", "{} "],
];

/** What begins something and never ends it. */
const OPENINGS = [
  ...["<system-reminder>", "<tag>\n", "<tag a='", "<a ", "</a>", "<!--", "```\n", "~~~\n", "- ```\n", "{{{"],
  ...[
    "<<EOF\n",
    "<<'EOF'\n",
    "---\n",
    "---\nname: a\n",
    "[Pruned ",
    "[Pruned bash: ",
    "... [3 lines omitted",
  ],
  ...[
    "[shaken ~1 tokens · ",
    "[superseded: ",
    '{"a":',
    '[{"a":"',
    '{"',
    "[[",
    "$(",
    "${",
    "$[",
    "$((",
    '"$(',
  ],
  ...["<(", "`<(", "*** Begin Patch\n", "*** Update File: a\n", "*** Add File: ", "@@ -1 +1 @@\n"],
  ...["diff --git a/a b/a\n", "--- a/a\n+++ b/a\n", "File: ", "https://", "https://a@", "http://[", "//"],
  ...["-----BEGIN PRIVATE KEY-----\n", "<tool_hash>", "<message_hash>a1b2c3", "api_key=", "password: '"],
  ...[
    "Error: ",
    "    at a (",
    'File "a", line 1\n',
    "- [ ] ",
    "[ ] ",
    "1. ",
    "# ",
    "AGENTS.md ",
    "├── ",
    "│   ",
  ],
  ...[
    "commit a1b2c3d\n",
    " M a\n",
    "a:1:",
    "a|b|",
    "Bearer ",
    "eyJ",
    "/home/",
    "C:\\Users\\",
    "%20",
    "&amp;",
  ],
  ...[
    "Cut: a1b2c3, ",
    "50% ",
    "[=====",
    "bash -c '",
    "cd a && ",
    "rm a;",
    "cat a\n",
    "echo a > b\n",
    "(((",
    "a(",
  ],
];

/** What an expression may look for the end of a line or a word behind. */
const BEFORE_AN_END = [..." \t.,-_/=0:;#*`\"'[(<!?+|\\&", "-free", ". ", "a "];

const units = [...new Set([...CHARACTERS, ...SEPARATORS, ...OPENINGS])];

export const hostileTexts: readonly HostileText[] = [
  ...units.map((unit) => ({ name: JSON.stringify(unit), of: (size: number) => repeat(unit, size) })),
  ...BEFORE_AN_END.map((unit) => ({
    name: `${JSON.stringify(unit)}, and another behind`,
    of: (size: number) => `${repeat(unit, size)}x`,
  })),
];

function repeat(unit: string, size: number): string {
  return unit.repeat(Math.max(1, Math.ceil(size / unit.length)));
}
