import { quote } from "./quote.ts";

/** The value of `statusLine` in a settings file of Claude Code. */
export interface StatuslineSetting {
  readonly type: "command";
  readonly command: string;
}

/**
 * The value of `statusLine` in `~/.claude/settings.json` that makes Claude Code show Coppice's line.
 *
 *   ["coppice"]                              ->  coppice statusline
 *   ["/usr/bin/node", "/my apps/main.js"]    ->  /usr/bin/node '/my apps/main.js' statusline
 *
 * @param program the words that start Coppice: a shell reads the command
 */
export function statuslineSetting(program: readonly string[]): StatuslineSetting {
  return {
    type: "command",
    command: [...program.map((word) => (PLAIN.test(word) ? word : quote(word))), "statusline"].join(" "),
  };
}

/** Matches words that need no quotes in a shell. */
const PLAIN = /^[\w@%+=:,./-]+$/;
