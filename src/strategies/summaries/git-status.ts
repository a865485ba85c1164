import { splitLines, takeHead } from "./lines.ts";
import { bracket, type Summarizer } from "./summary.ts";

interface Counts {
  modified: number;
  deleted: number;
  untracked: number;
  staged: number;
  conflicted: number;
}

/** `[Pruned git_status: 2 modified, 1 untracked, 2 staged]`, from the long form or from `--short`. */
export const summarizeGitStatus: Summarizer = (_, text) => {
  const lines = splitLines(text);
  const isLong = lines.some((line) => SECTION.test(line) || LONG_FORM.test(line));
  const isShort = lines.some((line) => SHORT_FORM.test(line) || line.startsWith("## "));
  if (!isLong && !isShort && text.trim() !== "") return bracket("git_status", [takeHead(text, 300).head]);
  const counts = isLong ? countSections(lines) : countCodes(lines);
  const phrases = (["modified", "untracked", "staged", "deleted", "conflicted"] as const).flatMap((what) =>
    counts[what] > 0 ? `${counts[what]} ${what}` : [],
  );
  return bracket(`git_status: ${phrases.length > 0 ? phrases.join(", ") : "clean"}`);
};

const LONG_FORM = /^(?:On branch |HEAD detached |nothing to commit|Not currently on any branch)/;
const SECTION = /^(Changes to be committed|Changes not staged for commit|Untracked files|Unmerged paths):/;
const SHORT_FORM = /^([ MADRCUT?!])([ MADRCUT?!]) \S/;

function countSections(lines: readonly string[]): Counts {
  const counts = none();
  let section = "";
  for (const line of lines) {
    const [, opened] = SECTION.exec(line) ?? [];
    if (opened !== undefined) section = opened;
    else if (/^\S/.test(line)) section = "";
    if (opened !== undefined || !/^\s+[^\s(]/.test(line)) continue;
    if (section === "Untracked files") counts.untracked++;
    else if (section === "Changes to be committed") counts.staged++;
    else if (section === "Unmerged paths") counts.conflicted++;
    else if (section !== "") counts[/^\s+deleted:/.test(line) ? "deleted" : "modified"]++;
  }
  return counts;
}

function countCodes(lines: readonly string[]): Counts {
  const counts = none();
  for (const line of lines) {
    const [, index = " ", tree = " "] = SHORT_FORM.exec(line) ?? [];
    const code = index + tree;
    if (code === "??") counts.untracked++;
    else if (/U|AA|DD/.test(code)) counts.conflicted++;
    else {
      if (/[MADRCT]/.test(index)) counts.staged++;
      if (tree === "D") counts.deleted++;
      else if (/[MARCT]/.test(tree)) counts.modified++;
    }
  }
  return counts;
}

function none(): Counts {
  return { modified: 0, deleted: 0, untracked: 0, staged: 0, conflicted: 0 };
}
