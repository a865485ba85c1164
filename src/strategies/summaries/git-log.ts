import { countOf } from "../../basics/numbers.ts";
import { splitLines, takeHead } from "./lines.ts";
import { bracket, type Summarizer } from "./summary.ts";

const HEAD_CHARACTERS = 300;

/** The first 300 characters, cut at a line, and `[Pruned git_log: 12 commits, 60 lines omitted]`. */
export const summarizeGitLog: Summarizer = (_, text) => {
  const { head, omitted } = takeHead(text, HEAD_CHARACTERS);
  if (omitted === 0) return undefined;
  const lines = splitLines(text);
  const whole = lines.filter((line) => /^[*|\\/ ]*commit [0-9a-f]{7,}/.test(line)).length;
  const commits = whole > 0 ? whole : lines.filter((line) => /^[*|\\/ ]*[0-9a-f]{7,40}\s/.test(line)).length;
  return `${head}\n${bracket(`git_log: ${countOf(commits, "commit")}, ${countOf(omitted, "line")} omitted`)}`;
};
