import { join, resolve } from "node:path";
import type { SessionAnalysis } from "../analysis/session-analysis.ts";
import { isRecord } from "../basics/json.ts";
import { VERSION } from "../basics/version.ts";
import type { Config } from "../config/config.ts";
import type { FileData } from "../page/index-data.ts";
import { cacheFolder } from "../stores/data-folder.ts";
import { collect, hasNoSession, listFailed, noteSkipped } from "./collect.ts";
import type { SessionFile } from "./find-sessions.ts";
import { Progress } from "./progress.ts";
import { openCache } from "./result-cache.ts";
import { runTasks } from "./run-tasks.ts";
import type { Screen } from "./screen.ts";
import type { Task, TaskOutcome } from "./task.ts";

/** The inputs of the result other than the file. */
export interface AnalyzeTerms {
  readonly config: Config;
  /** The time zone of the days. */
  readonly zone: string;
  /** Are secrets masked in sessions before anything is made from them? */
  readonly masked: boolean;
}

export interface AnalyzedFiles {
  readonly sessions: readonly SessionAnalysis[];
  /** Files without one. */
  readonly failed: readonly FileData[];
}

/** The totals of each session. Results are cached: a file that has not changed is not read again. */
export async function analyzeFiles(
  files: readonly SessionFile[],
  { config, zone, masked }: AnalyzeTerms,
  screen: Screen,
): Promise<AnalyzedFiles> {
  const cache = openCache(
    join(cacheFolder(), "coppice/analyze"),
    JSON.stringify([VERSION, CACHE_SHAPE, config, zone, masked]),
  );
  const outcomes = files.map(({ path, stamp, named }) =>
    recall(cache.get(resolve(path), stamp), path, named),
  );
  const missing = files.flatMap((file, i) => (outcomes[i] ? [] : [{ file, i }]));
  const tasks = missing.map(
    ({ file: { path, subagents = [] } }): Task => ({
      kind: "analyze",
      path,
      subagents,
      config,
      zone,
      masked,
    }),
  );
  const progress = new Progress(screen, tasks.length, "sessions");
  await runTasks(tasks, (done, index, outcome) => {
    progress.update(done);
    const found = missing[index];
    if (!found) return;
    outcomes[found.i] = outcome;
    const kept = toKeep(outcome, found.file.named);
    if (kept !== undefined) cache.put(resolve(found.file.path), found.file.stamp, kept);
  });
  progress.end();
  if (cache.trouble !== undefined) screen.note(screen.paintNote.yellow(cache.trouble));
  const done = outcomes.flatMap((outcome) => outcome ?? []);
  const sessions = collect(files, done, screen).filter(isAnalysis);
  noteSkipped(sessions, screen);
  return { sessions, failed: listFailed(files, done) };
}

/** Changes when cached results change their shape within a version. */
const CACHE_SHAPE = 5;

/** It is worth caching that a file has no session. Other failures may be gone next time. */
function toKeep(outcome: TaskOutcome, named: boolean): unknown {
  if (outcome.ok) return outcome.value;
  return !named && hasNoSession(outcome.issue) ? { none: outcome.issue.code } : undefined;
}

function recall(kept: unknown, path: string, named: boolean): TaskOutcome | undefined {
  if (isAnalysis(kept)) return { ok: true, value: { ...kept, path } };
  if (named || !isRecord(kept) || kept.none === undefined) return undefined;
  const code = kept.none === "empty-input" ? "empty-input" : "not-a-recording";
  return { ok: false, issue: { code, severity: "error", where: path, message: "not a session" } };
}

function isAnalysis(value: unknown): value is SessionAnalysis {
  return isRecord(value) && Array.isArray(value.days) && typeof value.source === "string";
}
