import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import type { SessionAnalysis } from "../analysis/analyze-session.ts";
import { sumAnalyses } from "../analysis/sum-analyses.ts";
import type { Issue } from "../basics/issue.ts";
import { countOf } from "../basics/numbers.ts";
import type { FileData } from "../page/index-data.ts";
import { redact, redactValue } from "../redaction/redact.ts";
import { Failure } from "./failure.ts";
import { findSessions, listSessionFolders, type SessionFile } from "./find-sessions.ts";
import { formatAnalysis } from "./format-analysis.ts";
import { formatExamples, printJson } from "./help.ts";
import { parseCount } from "./parse-count.ts";
import { Progress } from "./progress.ts";
import { runTasks } from "./run-tasks.ts";
import type { Screen } from "./screen.ts";
import { readSettings } from "./settings.ts";
import type { Outcome } from "./task.ts";

interface AnalyzeOptions {
  readonly top: number;
  readonly redact?: true;
  readonly json?: true;
}

export function addAnalyze(program: Command, screen: Screen): void {
  program
    .command("analyze")
    .description(
      "where the tokens and the money of recorded sessions went, and what pruning would have saved",
    )
    .argument(
      "[paths...]",
      "files or folders; without any, the folders of Claude Code, Codex, OpenCode and pi",
    )
    .option("--top <n>", "how many rows a table shows", parseCount, 10)
    .option("--redact", "mask secrets, addresses and home folders, to share the output")
    .option("--json", "for machines: everything, session by session")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice analyze", "all sessions on this machine"],
        ["coppice analyze session.jsonl", "one session, of any agent"],
        ["coppice analyze runs/ --json | jq .presets", "a folder, for a program"],
      ]),
    )
    .action((paths: readonly string[], options: AnalyzeOptions) => analyze(paths, options, screen));
}

async function analyze(paths: readonly string[], options: AnalyzeOptions, screen: Screen): Promise<void> {
  const { config } = readSettings(screen, undefined);
  const files = paths.length > 0 ? await findNamed(paths, screen) : await findOwn(screen);
  const tasks = files.map(({ path }) => ({ kind: "analyze" as const, path, config }));
  const progress = new Progress(screen, tasks.length, "sessions");
  const outcomes = await runTasks(tasks, (done) => progress.update(done));
  progress.end();
  const sessions = collect(files, outcomes, screen).filter(isAnalysis);
  if (sessions.length === 0) throw new Failure("There was no session to analyze.");
  noteSkipped(sessions, screen);
  const analysis = sumAnalyses(sessions, config);
  if (options.json) screen.print(printJson(options.redact ? redactValue(analysis) : analysis));
  else {
    const text = formatAnalysis(analysis, screen.paint, options.top);
    screen.print(options.redact ? redact(text) : text);
  }
}

/** Says how much of the sessions could not be read. */
export function noteSkipped(sessions: readonly { readonly skipped: number }[], screen: Screen): void {
  const skipped = sessions.reduce((sum, session) => sum + session.skipped, 0);
  if (skipped > 0)
    screen.note(screen.paintNote.yellow(`${countOf(skipped, "record")} cut off or not readable, left out`));
}

/** The values of the tasks that worked. A file that the user named and that can't be read is reported: exit code 1. */
export function collect(
  files: readonly SessionFile[],
  outcomes: readonly Outcome[],
  screen: Screen,
): readonly unknown[] {
  let others = 0;
  const values: unknown[] = [];
  for (const [i, outcome] of outcomes.entries()) {
    if (outcome.ok) values.push(outcome.value);
    else if (files[i]?.named || !NO_SESSION.has(outcome.issue.code)) {
      process.exitCode = 1;
      screen.note(screen.paintNote.red(`${outcome.issue.where ?? files[i]?.path}: ${outcome.issue.message}`));
    } else others++;
  }
  if (others > 0)
    screen.note(screen.paintNote.dim(`${countOf(others, "file")} held no session and were left out`));
  return values;
}

/** The files that gave no session, and why. */
export function listFailed(files: readonly SessionFile[], outcomes: readonly Outcome[]): readonly FileData[] {
  return outcomes.flatMap((outcome, i) => {
    if (outcome.ok) return [];
    const { code, message } = outcome.issue;
    const isOther = NO_SESSION.has(code);
    const why = code === "not-a-recording" ? "no recorded session that Coppice knows" : message;
    return [{ path: files[i]?.path ?? "", why, isOther }];
  });
}

/** A folder may also have other files, and sessions that were never begun: no error. */
const NO_SESSION: ReadonlySet<Issue["code"]> = new Set(["not-a-recording", "empty-input"]);

export function isAnalysis(value: unknown): value is SessionAnalysis {
  return typeof value === "object" && value !== null && "coldStarts" in value;
}

/** The sessions at these paths, largest first, so that the threads end at about the same time. */
export async function findNamed(paths: readonly string[], screen: Screen): Promise<readonly SessionFile[]> {
  const { files, missing } = await findSessions(paths, true);
  for (const path of missing) {
    process.exitCode = 1;
    screen.note(screen.paintNote.red(`${path}: there is no such file or folder`));
  }
  return files.toSorted((a, b) => b.bytes - a.bytes);
}

async function findOwn(screen: Screen): Promise<readonly SessionFile[]> {
  const folders = listSessionFolders();
  const { files } = await findSessions(
    folders.map(({ path }) => path),
    false,
  );
  const database = join(process.env.XDG_DATA_HOME || join(homedir(), ".local/share"), "opencode/opencode.db");
  if (existsSync(database))
    screen.note(
      `OpenCode keeps its newer sessions in ${database}, which Coppice does not read: opencode export <session> > session.json gives a file that it does.`,
    );
  if (files.length > 0) return files.toSorted((a, b) => b.bytes - a.bytes);
  const looked = folders.map(({ agent, path }) => `\n  ${agent}: ${path}`).join("");
  throw new Failure(
    `No sessions were found. Coppice looked in:${looked}\nName files or folders: coppice analyze path/to/sessions`,
  );
}
