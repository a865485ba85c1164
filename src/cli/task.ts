import { analyzeSession, type SessionAnalysis } from "../analysis/analyze-session.ts";
import type { Result } from "../basics/issue.ts";
import type { Config } from "../config/config.ts";
import { readSession } from "./read-session.ts";
import { replaySession, type SessionReplays } from "./replay-session.ts";

/** Work on one session that a thread can do by itself: plain data in, plain data out. */
export type Task =
  | {
      readonly kind: "analyze";
      readonly path: string;
      readonly config: Config;
      /** Is the session masked first? */
      readonly masked: boolean;
    }
  | {
      readonly kind: "replay";
      readonly path: string;
      readonly config: Config;
      readonly policies: readonly string[];
    };

export interface Outcomes {
  readonly analyze: SessionAnalysis;
  readonly replay: SessionReplays;
}

export type Outcome = Result<Outcomes[keyof Outcomes]>;

/** Never throws: one bad file must not stop the others. */
export async function runTask(task: Task): Promise<Outcome> {
  try {
    const read = await readSession(task.path, task.kind === "analyze" && task.masked);
    if (!read.ok) return read;
    const value =
      task.kind === "analyze"
        ? analyzeSession(read.value, task.path, task.config)
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
