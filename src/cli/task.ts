import { analyzeSession } from "../analysis/analyze-session.ts";
import { daysIn } from "../analysis/calendar.ts";
import type { SessionAnalysis } from "../analysis/session-analysis.ts";
import type { Result } from "../basics/issue.ts";
import type { Config } from "../config/config.ts";
import { readSession } from "./read-session.ts";
import { replaySession, type SessionReplays } from "./replay-session.ts";

/** Work on one session that a thread can do by itself: plain data in, plain data out. */
export type Task = SessionTask & { readonly config: Config } & (
    | {
        readonly kind: "analyze";
        readonly zone: string;
        /** Is the session masked first? */
        readonly masked: boolean;
      }
    | { readonly kind: "replay"; readonly policies: readonly string[] }
  );

interface SessionTask {
  readonly path: string;
  /** Where the sessions of its subagents are. */
  readonly subagents?: readonly string[];
}

export interface Outcomes {
  readonly analyze: SessionAnalysis;
  readonly replay: SessionReplays;
}

export type Outcome = Result<Outcomes[keyof Outcomes]>;

/** Never throws: one bad file must not stop the others. */
export async function runTask(task: Task): Promise<Outcome> {
  try {
    const { path, subagents = [] } = task;
    const read = await readSession(path, { subagents, masked: task.kind === "analyze" && task.masked });
    if (!read.ok) return read;
    const value =
      task.kind === "analyze"
        ? analyzeSession(read.value, path, task.config, daysIn(task.zone))
        : replaySession(read.value, task.config, task.policies);
    return { ok: true, value };
  } catch (error) {
    return failTask(task.path, error);
  }
}

export function failTask(path: string, error: unknown): Outcome {
  const why = error instanceof Error ? error.message : String(error);
  const message = `this session could not be worked on: ${why}`;
  return { ok: false, issue: { code: "unreadable-input", severity: "error", where: path, message } };
}
