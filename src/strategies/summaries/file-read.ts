import { LineSpans } from "../../facts/line-spans.ts";
import { chooseLines } from "./choose-lines.ts";
import { capLine, splitLines } from "./lines.ts";
import { NAMED_ROOM } from "./salience.ts";
import type { Summarizer } from "./summary.ts";

const LINES_AT_EACH_END = 10;
const SHORT_FILE_LINES = 20;

/** Up to 20 lines: all. More: the first 10, the last 10, and between them lines with names that were mentioned. */
export const summarizeFileRead: Summarizer = (_, text, { salience }) => {
  if (new LineSpans(text).length > SHORT_FILE_LINES)
    return chooseLines(text, NAMED_ROOM, salience, {
      first: LINES_AT_EACH_END,
      last: LINES_AT_EACH_END,
      namedOnly: true,
    });
  const lines = splitLines(text);
  const capped = lines.map((line) => capLine(line));
  return capped.some((line, i) => line !== lines[i]) ? capped.join("\n") : undefined;
};
