import { analyzeSession } from "../analysis/analyze-session.ts";
import { daysIn } from "../analysis/calendar.ts";
import type { SessionAnalysis } from "../analysis/session-analysis.ts";
import { measureUse, type SessionUse } from "../analysis/session-use.ts";
import type { Result } from "../basics/issue.ts";
import type { Config } from "../config/config.ts";
import { readSession } from "./read-session.ts";
import { replaySession, type SessionReplays } from "./replay-session.ts";

/** Work on one session that a thread can do alone: plain data in, plain data out. */
export type Task = SessionTask &
  (
    | {
        readonly kind: "analyze";
        readonly config: Config;
        readonly zone: string;
        /** Is the session masked first? */
        readonly masked: boolean;
      }
    | { readonly kind: "replay"; readonly config: Config; readonly policies: readonly string[] }
    | { readonly kind: "use" }
  );

interface SessionTask {
  readonly path: string;
  /** The sessions of its subagents. */
  readonly subagents?: readonly string[];
}

export interface Outcomes {
  readonly analyze: SessionAnalysis;
  readonly replay: SessionReplays;
  readonly use: SessionUse;
}

export type TaskOutcome = Result<Outcomes[keyof Outcomes]>;

/** Never throws: one bad file must not stop the others. */
export async function runTask(task: Task): Promise<TaskOutcome> {
  try {
    const { path, subagents = [] } = task;
    if (task.kind === "use") return await readUse(path, subagents);
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

async function readUse(path: string, subagents: readonly string[]): Promise<Result<SessionUse>> {
  const [own, ...others] = await Promise.all(
    [path, ...subagents].map((each) => readSession(each, { subagents: [] })),
  );
  if (!own?.ok) return own ?? failTask(path, "it was not read");
  return {
    ok: true,
    value: measureUse(
      own.value,
      others.flatMap((other) => (other.ok ? [other.value] : [])),
    ),
  };
}

export function failTask(path: string, error: unknown): Result<never> {
  const why = error instanceof Error ? error.message : String(error);
  const message = `this session could not be processed: ${why}`;
  return { ok: false, issue: { code: "unreadable-input", severity: "error", where: path, message } };
}
