import type { ToolUse } from "../tool-kinds/tool-use.ts";

/** What a call was about, in a few words: `bash npm test`, `read src/a.ts`. */
export function describeUse(use: ToolUse): string {
  const about = use.command ?? use.url ?? use.query ?? use.files[0]?.path;
  if (about === undefined) return use.name;
  const line = about.split("\n", 1)[0] ?? "";
  return `${use.name} ${line.length > 60 ? `${line.slice(0, 59)}…` : line}`;
}
