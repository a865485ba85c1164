import { chooseLines } from "./choose-lines.ts";
import { capLine, splitLines } from "./lines.ts";
import { NAMED_ROOM } from "./salience.ts";
import type { Summarizer } from "./summary.ts";

const ENDS = 10;
const SHORT_FILE = 20;

/** Up to 20 lines: all. More: the first 10, the last 10, and between them the lines that hold what was named. */
export const summarizeFileRead: Summarizer = (_, text, { salience }) => {
  const lines = splitLines(text);
  if (lines.length > SHORT_FILE)
    return chooseLines(text, NAMED_ROOM, salience, { first: ENDS, last: ENDS, namedOnly: true });
  const capped = lines.map((line) => capLine(line));
  return capped.some((line, i) => line !== lines[i]) ? capped.join("\n") : undefined;
};
