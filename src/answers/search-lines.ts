import { countOf } from "../basics/numbers.ts";
import { type LineRequest, takePage } from "./page-text.ts";

/** Lines shown on either side of one that matches. */
const CONTEXT_LINES = 3;

/** Characters of a line that are shown. */
const LINE_LENGTH = 500;

/**
 * The lines that contain a text, ignoring case, with three lines around each and line numbers, like `grep -n -i -C
 * 3`.
 *
 *   1 line with "TypeError":
 *   11-    at run (a.ts:4)
 *   12:TypeError: x is undefined
 */
export function searchLines(lines: readonly string[], { line, to }: LineRequest, search: string): string {
  const wanted = search.toLowerCase();
  const end = Math.min(to ?? lines.length, lines.length);
  const shown: string[] = [];
  let matches = 0;
  let printed = line - 1;
  for (let i = line; i <= end; i++) {
    if (!lines[i - 1]?.toLowerCase().includes(wanted)) continue;
    matches++;
    const from = Math.max(printed + 1, i - CONTEXT_LINES, line);
    if (from > printed + 1 && shown.length > 0) shown.push("--");
    for (let at = from; at <= Math.min(i + CONTEXT_LINES, end); at++) {
      const text = lines[at - 1] ?? "";
      const sign = text.toLowerCase().includes(wanted) ? ":" : "-";
      shown.push(`${at}${sign}${shorten(text, wanted)}`);
    }
    printed = Math.min(i + CONTEXT_LINES, end);
  }
  if (matches === 0) return `no line with ${JSON.stringify(search)}.`;
  const page = takePage(shown, { line: 1, character: 0 });
  const more = page.next ? "\n(more matches follow: search for something longer, or give lines)" : "";
  return `${countOf(matches, "line")} with ${JSON.stringify(search)}:\n${page.text}${more}`;
}

/** Cuts a long line down to the text around the match. */
function shorten(line: string, wanted: string): string {
  if (line.length <= LINE_LENGTH) return line;
  const at = Math.max(0, line.toLowerCase().indexOf(wanted) - LINE_LENGTH / 2);
  return `…${line.slice(at, at + LINE_LENGTH).toWellFormed()}…`;
}
