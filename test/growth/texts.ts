import { isFull } from "./sizes.ts";

/** A text of about this many characters. */
export interface HostileText {
  readonly name: string;
  of(size: number): string;
}

/** Repeated text: characters, separators, and openings without an end. */
const UNITS = [
  ..." \t\na0.,-_/\\\"'`([{<$#=:@",
  ...["a.", "a@a.a", "a@a.aa", "a/", "../", "0,", "a\n", " \n", "\r\n", "a b ", "a=", "cd a && ", "echo a;"],
  ...[
    "<system-reminder>",
    "<tag>\n",
    "```\n",
    "{{{",
    "<<EOF\n",
    "<<a\na\n",
    '\\"',
    "---\n",
    "---\nname: a\n",
    "[Pruned ",
    "[[",
  ],
  ...["... [3 lines omitted", '{"a":', '[{"a":"', "$(", "$[", "`<(", "*** Update File: a\n", "@@ -1 +1 @@\n"],
  ...[
    "diff --git a/a b/a\n",
    "https://",
    "-----BEGIN PRIVATE KEY-----\n",
    "<tool_hash>",
    "api_key=",
    "Error: ",
  ],
  ...["    at a (", "- [ ] ", "commit a1b2c3d\n", " M a\n", "├── ", "Cut: a1b2c3, ", "Bearer ", "/home/"],
];

/** Text after which an expression may search for the end of a line or a word. */
const BEFORE_AN_END = [..." \t.,0-", "-free"];

const MORE_UNITS = [
  ...["\r", "b", "A", ">", "}", ")", "]", ";", "*", "~", "|", "&", "%", "?", "!", "+", "^", "é", "…", " · "],
  ...[
    "\u{1F600}",
    "\ud83d",
    "\u00a0",
    "\u4e2d",
    ", ",
    "a@a.",
    "./",
    "1:",
    "\n\n",
    "://",
    "%2",
    "\\n",
    "0x",
    "a-",
  ],
  ...[
    "a_",
    "Aa",
    "aA0.",
    "a1b2c3 ",
    "1 ",
    "1.",
    "1-",
    "() ",
    "{} ",
    "<tag a='",
    "<a ",
    "</a>",
    "<!--",
    "~~~\n",
  ],
  ...[
    "- ```\n",
    "<<'EOF'\n",
    "[Pruned bash: ",
    "[shaken ~1 tokens · ",
    "[superseded: ",
    '{"',
    "${",
    "$((",
    '"$(',
  ],
  ...[
    "<(",
    "*** Begin Patch\n",
    "*** Add File: ",
    "--- a/a\n+++ b/a\n",
    "File: ",
    "https://a@",
    "http://[",
    "//",
  ],
  ...["<message_hash>a1b2c3", "password: '", 'File "a", line 1\n', "[ ] ", "1. ", "# ", "AGENTS.md ", "│   "],
  ...[
    "a:1:",
    "a|b|",
    "eyJ",
    "C:\\Users\\",
    "%20",
    "&amp;",
    "50% ",
    "[=====",
    "bash -c '",
    "rm a;",
    "cat a\n",
  ],
  ...["echo a > b\n", "(((", "a("],
];

const MORE_BEFORE_AN_END = [..."_/=:;#*`\"'[(<!?+|\\&", ". ", "a "];

export const hostileTexts: readonly HostileText[] = [
  ...[...UNITS, ...(isFull ? MORE_UNITS : [])].map((unit) => ({
    name: JSON.stringify(unit),
    of: (size: number) => repeat(unit, size),
  })),
  ...[...BEFORE_AN_END, ...(isFull ? MORE_BEFORE_AN_END : [])].map((unit) => ({
    name: `${JSON.stringify(unit)}, and another behind`,
    of: (size: number) => `${repeat(unit, size)}x`,
  })),
];

function repeat(unit: string, size: number): string {
  return unit.repeat(Math.max(1, Math.ceil(size / unit.length)));
}
