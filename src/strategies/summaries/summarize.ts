import type { ResultContent, ToolKind, ToolUse } from "../../tool-kinds/tool-use.ts";
import { summarizeCodeStructure } from "./code-structure.ts";
import { summarizeFailure } from "./failure.ts";
import { summarizeFileList } from "./file-list.ts";
import { summarizeFileRead } from "./file-read.ts";
import { summarizeGitDiff } from "./git-diff.ts";
import { summarizeGitLog } from "./git-log.ts";
import { summarizeGitStatus } from "./git-status.ts";
import { hasFailed } from "./has-failed.ts";
import { keepFailure } from "./keep-failure.ts";
import { summarizeMatches } from "./matches.ts";
import { summarizePage } from "./page.ts";
import { summarizeRepoMap } from "./repo-map.ts";
import { summarizeShellRun } from "./shell-run.ts";
import { plainMarker, type Summarizer } from "./summary.ts";
import { summarizeTree } from "./tree.ts";

const BY_SHOWN: Readonly<Record<ResultContent, Summarizer>> = {
  file: summarizeFileRead,
  files: summarizeFileList,
  tree: summarizeTree,
  "repo-map": summarizeRepoMap,
  structure: summarizeCodeStructure,
  matches: summarizeMatches,
  "git-status": summarizeGitStatus,
  "git-diff": summarizeGitDiff,
  "git-log": summarizeGitLog,
};

const BY_KIND: Readonly<Partial<Record<ToolKind, Summarizer>>> = {
  read: summarizeFileRead,
  list: summarizeFileList,
  search: summarizeMatches,
  shell: summarizeShellRun,
  fetch: summarizePage,
  "web-search": summarizePage,
};

/** Summarizes a result by its contents. `undefined`: all of it stays, as for an error. */
export const summarize: Summarizer = (use, text, context) => {
  if (context.wholeErrors && hasFailed(use, text, context)) return keepFailure(use, text, context);
  return summarizerFor(use, context.failed ?? false)(use, text, context);
};

function summarizerFor({ kind, shows }: ToolUse, failed: boolean): Summarizer {
  if (failed && kind !== "shell") return summarizeFailure;
  if (failed) return summarizeShellRun;
  const known = shows === undefined ? BY_KIND[kind] : BY_SHOWN[shows];
  return known ?? ((_, text) => plainMarker(text));
}
