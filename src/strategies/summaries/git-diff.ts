import { countOf, formatNumber } from "../../basics/numbers.ts";
import { splitLines, takeHead } from "./lines.ts";
import { bracket, type Summarizer } from "./summary.ts";

const HEAD_CHARACTERS = 300;

/** The first 300 characters, cut at a line, and `[Pruned git_diff: 3 files, +40 -12, 180 lines omitted]`. */
export const summarizeGitDiff: Summarizer = (_, text) => {
  const { head, omitted } = takeHead(text, HEAD_CHARACTERS);
  if (omitted === 0) return undefined;
  const { files, added, removed } = countChanges(text);
  const counts = `${countOf(files, "file")}, +${formatNumber(added)} -${formatNumber(removed)}`;
  return `${head}\n${bracket(`git_diff: ${counts}, ${countOf(omitted, "line")} omitted`)}`;
};

interface Changes {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

function countChanges(text: string): Changes {
  const lines = splitLines(text);
  const headers = lines.filter((line) => line.startsWith("diff --")).length;
  if (headers === 0)
    return readStat(text) ?? countHunks(lines, lines.filter((line) => /^\+\+\+ /.test(line)).length);
  return countHunks(lines, headers);
}

function countHunks(lines: readonly string[], files: number): Changes {
  let added = 0;
  let removed = 0;
  let inHunk = false;
  for (const [i, line] of lines.entries()) {
    if (line.startsWith("@@")) inHunk = true;
    else if (line.startsWith("diff --")) inHunk = false;
    else if (line.startsWith("--- ") && lines[i + 1]?.startsWith("+++ ")) inHunk = false;
    if (!inHunk) continue;
    if (line.startsWith("+")) added++;
    else if (line.startsWith("-")) removed++;
  }
  return { files, added, removed };
}

/** ` 3 files changed, 40 insertions(+), 12 deletions(-)` */
function readStat(text: string): Changes | undefined {
  const [, files, added = "0", removed = "0"] =
    /(\d{1,15}) files? changed(?:, (\d{1,15}) insertions?\(\+\))?(?:, (\d{1,15}) deletions?\(-\))?/.exec(
      text,
    ) ?? [];
  return files === undefined
    ? undefined
    : { files: Number(files), added: Number(added), removed: Number(removed) };
}
