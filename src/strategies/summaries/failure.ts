import { findErrorLines } from "./error-lines.ts";
import { capLine, splitLines } from "./lines.ts";
import { bracket, type Summarizer } from "./summary.ts";
import { titleOf } from "./title.ts";

const LINES_SHOWN = 5;
const LONG_LINE = 200;

/** For a tool that failed: its error lines, or, if there are none, its first lines. */
export const summarizeFailure: Summarizer = (use, text) => {
  const lines = splitLines(text).filter((line) => line.trim() !== "");
  const errors = findErrorLines(lines);
  const telling = lines.filter((_, i) => errors[i]);
  const shown = (telling.length > 0 ? telling : lines)
    .slice(0, LINES_SHOWN)
    .map((line) => capLine(line, LONG_LINE));
  return bracket(`${titleOf(use)}: ✗ failure`, shown);
};
