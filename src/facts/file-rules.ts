import { coversRange } from "../tool-kinds/line-range.ts";
import type { FileRule } from "./current-operations.ts";
import type { FileOperation } from "./files.ts";

/** Whatever happens to a file makes everything older stale. */
export const STRICT: FileRule = {
  replacesAny: () => true,
  replacesAll: ({ touch }) => touch.range === undefined,
  replaces: (newer, older) => !isView(older) || coversRange(newer.touch.range, older.touch.range),
};

/** Only what shows a file makes what was shown of it stale; what shows all of it, the edits before it too. */
export const VIEWS: FileRule = {
  replacesAny: isView,
  replacesAll: (newer) => isView(newer) && newer.touch.range === undefined,
  replaces: (newer, older) =>
    isView(newer) && isView(older) && coversRange(newer.touch.range, older.touch.range),
};

/** Shows the file's text. What the shell writes to a file is seen by nobody. */
function isView({ touch, fact }: FileOperation): boolean {
  return touch.operation === "read" || (touch.operation === "write" && fact.use.kind !== "shell");
}
