import { claudeFile } from "../clients/claude.ts";
import type { ClientPlace } from "../clients/client.ts";
import { readSettingsFile, textAt } from "../clients/read-settings-file.ts";
import type { CoppiceProgram } from "../service/coppice-program.ts";

/** What the user's settings of Claude Code say of its status line. */
export type StatusLine =
  | { readonly kind: "none" }
  /** `value`: the setting as it stands there. */
  | { readonly kind: "ours" | "other"; readonly value: unknown; readonly command: string };

export function readStatusLine(place: ClientPlace): StatusLine {
  const value = readSettingsFile(claudeFile(place)).statusLine;
  if (value === undefined) return { kind: "none" };
  const command = textAt(value, "command") ?? JSON.stringify(value);
  const isOurs = /(?:^|[\\/])(?:coppice|main\.js)['"]? statusline(?:$| )/.test(command);
  return { kind: isOurs ? "ours" : "other", value, command };
}

/** The setting that shows ours. @param url where the proxy is, unless at the usual address */
export function ownStatusLine({ node, main, isInPath }: CoppiceProgram, url: string | undefined): unknown {
  const program = isInPath ? ["coppice"] : [node, main];
  const words = [...program, "statusline", ...(url === undefined ? [] : ["--url", url])];
  return { type: "command", command: words.map(quote).join(" ") };
}

/** For a shell. */
function quote(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
