import { claudeFile } from "../clients/claude.ts";
import type { ClientPlace } from "../clients/client.ts";
import { readSettingsFile, textAt } from "../clients/read-settings-file.ts";
import type { CoppiceProgram } from "../service/coppice-program.ts";
import { type StatuslineSetting, statuslineSetting } from "../statusline-setting.ts";

/** The status line in the user's settings of Claude Code. */
export type StatusLine =
  | { readonly kind: "none" }
  /** `value` is the setting as it is in the file. */
  | { readonly kind: "ours" | "other"; readonly value: unknown; readonly command: string };

export function readStatusLine(place: ClientPlace): StatusLine {
  const value = readSettingsFile(claudeFile(place)).statusLine;
  if (value === undefined) return { kind: "none" };
  const command = textAt(value, "command") ?? JSON.stringify(value);
  const isOurs = /(?:^|[\\/])(?:coppice|main\.js)['"]? statusline(?:$| )/.test(command);
  return { kind: isOurs ? "ours" : "other", value, command };
}

/** The setting that shows Coppice's status line. */
export function ownStatusLine({ node, main, isInPath }: CoppiceProgram): StatuslineSetting {
  return statuslineSetting(isInPath ? ["coppice"] : [node, main]);
}
