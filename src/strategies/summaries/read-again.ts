import { showsFiles } from "../../facts/files.ts";
import type { FileTouch, ToolUse } from "../../tool-kinds/tool-use.ts";

/** If there are more files, the others are only counted. */
const MOST_FILES = 3;

/** Characters that can't be mistaken for a marker. */
const PLAIN = /^[^\p{Cc}[\]·]+$/u;

/**
 * How to get the text of a cut view back, so that an agent reads it and does not guess; `undefined` for other
 * results.
 *
 *   read src/a.ts                  ->  read src/a.ts again
 *   sed -n 120,194p src/a.ts       ->  read src/a.ts lines 120-194 again
 */
export function readAgain(use: ToolUse): string | undefined {
  const reads = use.files.filter(({ operation, path }) => operation === "read" && PLAIN.test(path));
  if (!showsFiles(use) || reads.length === 0) return undefined;
  const more = reads.length - MOST_FILES;
  const named = reads.slice(0, MOST_FILES).map(nameLines);
  return `read ${[...named, ...(more > 0 ? [`${more} more`] : [])].join(", ")} again`;
}

function nameLines({ path, range }: FileTouch): string {
  if (!range) return path;
  if (range.from < 0) return `${path} last ${-range.from} lines`;
  return range.to === undefined
    ? `${path} from line ${range.from}`
    : `${path} lines ${range.from}-${range.to}`;
}
